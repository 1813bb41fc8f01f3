// The clocks of a game, computed anew from its record (service/record/README.md): no time lapses before its deadline, and
// none is given that nobody gave. Instants and durations are milliseconds.

const [SECOND, DAY] = [1000, 86_400_000];
const [ABSENT_AFTER, LONGEST_ABSENCE, LONGEST_PAUSE, LONGEST] = [3, 21 * DAY, 30 * DAY, 60 * DAY];
// A respite after an outage, and how far apart the clocks of a database and of a process may be.
const [RESPITE, CLOCKS_APART] = [12 * 3_600_000, 3_600_000];
const SERVICE = ["timeout", "worker"];
// A fact is missing here, of which the record says nothing wrong.
const UNCHECKED = { holds: null, missing: true };

// The parts of an instant on a zone's calendar, and by how much the zone is ahead of UTC then.
const formats = new Map();
function local(zone, instant) {
  if (!formats.has(zone)) {
    const parts = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" };
    formats.set(zone, new Intl.DateTimeFormat("en-u-ca-gregory-nu-latn", { timeZone: zone, hourCycle: "h23", ...parts }));
  }
  const given = Object.fromEntries(formats.get(zone).formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const wall = Date.UTC(given.year, given.month - 1, given.day, given.hour, given.minute, given.second);
  return { day: Math.floor(wall / DAY) * DAY, ahead: wall - Math.floor(instant / SECOND) * SECOND };
}
function midnight(zone, day) {
  const before = day - local(zone, day - DAY).ahead;
  const after = day - local(zone, before).ahead;
  // A midnight that does not exist, or exists twice, is counted by what was in force before it.
  return after !== before && local(zone, after).ahead === local(zone, before).ahead ? after : before;
}
// The weekdays in which an instant lies, or those that follow: from Monday to Saturday.
function stretch(zone, instant) {
  const { day } = local(zone, instant);
  const weekday = (new Date(day).getUTCDay() + 6) % 7;
  const monday = day + (weekday > 4 ? 7 - weekday : -weekday) * DAY;
  return [midnight(zone, monday), midnight(zone, monday + 5 * DAY)];
}
function elapsed(zone, since, until) {
  if (zone === null) return Math.max(0, until - since);
  let counted = 0;
  for (let from = since; from < until; ) {
    const [begin, end] = stretch(zone, from);
    counted += Math.max(0, Math.min(end, until) - Math.max(begin, from));
    from = end;
  }
  return counted;
}
function later(zone, since, duration) {
  if (zone === null) return since + duration;
  for (;;) {
    const [monday, end] = stretch(zone, since);
    const begin = Math.max(monday, since);
    if (duration <= end - begin) return begin + duration;
    duration -= end - begin;
    since = end;
  }
}

/** The clocks of a game after a step: banks and lapses by seat, the waits of awaited seats, and who is not there. */
class Clocks {
  constructor(pace, seats) {
    Object.assign(this, { pace, waits: new Map(), away: new Map(), proposed: null, paused: null });
    [this.banks, this.lapses] = [Array(seats).fill(pace.bank * SECOND), Array(seats).fill(0)];
    [this.lapsed, this.absent, this.resigned] = [new Set(), new Set(), new Set()];
    this.computers = new Set();
  }
  copy() {
    const same = Object.assign(Object.create(Clocks.prototype), this);
    for (const name of ["banks", "lapses"]) same[name] = [...this[name]];
    for (const name of ["lapsed", "absent", "resigned", "computers"]) same[name] = new Set(this[name]);
    same.waits = new Map(Array.from(this.waits, ([seat, wait]) => [seat, { ...wait }]));
    same.away = new Map(this.away);
    same.proposed = this.proposed && { ...this.proposed, agreed: [...this.proposed.agreed] };
    return same;
  }
  gone(seat) {
    return this.resigned.has(seat) || this.absent.has(seat) || this.computers.has(seat);
  }
  stopped(seat) {
    return this.paused !== null || this.away.has(seat);
  }
  deadline(seat) {
    const wait = this.waits.get(seat);
    if (!wait || this.stopped(seat)) return null;
    const left = this.pace.free * SECOND + this.banks[seat] + wait.given - wait.used;
    return later(this.pace.weekdays, wait.since, Math.max(0, left));
  }
  used(seat, at) {
    const { used, since } = this.waits.get(seat);
    return used + (this.stopped(seat) ? 0 : elapsed(this.pace.weekdays, since, at));
  }
  stop(seats, at) {
    for (const seat of seats) if (this.waits.has(seat)) Object.assign(this.waits.get(seat), { used: this.used(seat, at), since: at });
  }
  run(seats, at) {
    for (const seat of seats) if (this.waits.has(seat) && !this.stopped(seat)) this.waits.get(seat).since = at;
  }
  settle(seat, at) {
    const beyond = this.used(seat, at) - this.waits.get(seat).given - this.pace.free * SECOND;
    const left = Math.max(0, this.banks[seat] - Math.max(0, beyond));
    this.banks[seat] = Math.max(left, Math.min(this.pace.cap * SECOND, left + this.pace.credit * SECOND));
  }
  comeBack(seat, at, anew) {
    if (this.absent.has(seat) || anew) {
      this.banks[seat] = Math.max(this.banks[seat], this.pace.free * SECOND + (this.pace.cap * SECOND) / 2);
      this.lapses[seat] = 0;
      for (const seats of [this.absent, this.lapsed]) seats.delete(seat);
    }
    if (this.away.delete(seat)) this.run([seat], at);
  }
  /** After a step: who is awaited now, and what the wait that was answered has cost. */
  await(toAct, actor, at) {
    const asked = new Set([...toAct].filter((seat) => !this.absent.has(seat)));
    const anew = [...asked].some((seat) => !this.waits.has(seat) && !this.lapsed.has(seat));
    for (const seat of [...this.lapsed]) if ((anew && seat === actor) || !toAct.includes(seat)) this.lapsed.delete(seat);
    for (const seat of this.lapsed) asked.delete(seat);
    const over = [...this.waits.keys()].filter((seat) => !asked.has(seat) || (seat === actor && anew));
    if (over.includes(actor)) this.settle(actor, at);
    for (const seat of over) this.waits.delete(seat);
    for (const seat of asked) if (!this.waits.has(seat)) this.waits.set(seat, { since: at, used: 0, given: 0, forOutages: 0 });
  }
}

// Whether any outage can have cost so much, of which a record tells nothing; or time that ran before `next` says that the
// player is away.
function owed(clocks, seat, given, at, next) {
  const [deadline, used, wait] = [clocks.deadline(seat), clocks.used(seat, at), clocks.waits.get(seat)];
  const counted = used - wait.used;
  const [event] = next?.action === null ? next.events : [];
  if (event?.type === "player-away" && event.data.seat === seat) return given <= counted + SECOND;
  const most = Math.min(RESPITE, clocks.pace.free * SECOND) + CLOCKS_APART;
  return deadline !== null && deadline <= at + most && given <= Math.min(counted, used - wait.forOutages) + most;
}

// What may be said of the time, when, and what follows; `line` is that of the step.
const FACTS = {
  "time-lapsed": {
    shape: "deadline:number decision:number ends:boolean seat:number",
    could: (clocks, { seat, deadline, ends, decision }, line) => deadline !== null && clocks.deadline(seat) === deadline
      && deadline <= line.at && ends === (clocks.pace.on_lapse === "end") && decision === line.decision,
    then(clocks, { seat }) {
      [clocks.banks[seat], clocks.lapses[seat]] = [0, clocks.lapses[seat] + 1];
      clocks.waits.delete(seat);
      clocks.lapsed.add(seat);
      if (clocks.lapses[seat] >= ABSENT_AFTER) clocks.absent.add(seat);
    },
  },
  "time-given": {
    shape: "by:number|null reason:string seat:number seconds:number",
    could: (clocks, { seat, by, seconds, reason }, { at }, next) => clocks.waits.has(seat) && (reason === "outage"
      ? by === null && seconds > 0 && owed(clocks, seat, seconds * SECOND, at, next)
      : reason === "player" && by !== seat && by in clocks.banks && !clocks.gone(by) && seconds === clocks.pace.free),
    then(clocks, { seat, seconds, reason }) {
      const wait = clocks.waits.get(seat);
      if (!wait) return;
      wait.given += seconds * SECOND;
      if (reason === "outage") wait.forOutages += seconds * SECOND;
    },
  },
  "player-away": {
    shape: "seat:number until:number",
    could: (clocks, { seat, until }, { at }) => clocks.pace.away && !clocks.away.has(seat) && until > at && until - at <= LONGEST_ABSENCE,
    then(clocks, { seat, until }, at) {
      clocks.stop([seat], at);
      clocks.away.set(seat, until);
    },
  },
  "player-back": {
    shape: "seat:number",
    could: (clocks, { seat }) => clocks.absent.has(seat) || clocks.away.has(seat),
    then: (clocks, { seat }, at) => clocks.comeBack(seat, at, false),
  },
  "seat-handed-over": {
    shape: "seat:number",
    could: (clocks, { seat }) => clocks.gone(seat) && !clocks.computers.has(seat),
    then(clocks, { seat }, at) {
      clocks.resigned.delete(seat);
      clocks.comeBack(seat, at, true);
    },
  },
  "computer-seated": {
    shape: "level:string seat:number version:number",
    could: (clocks, { seat }) => !clocks.computers.has(seat),
    then: (clocks, { seat }) => clocks.computers.add(seat),
  },
  "pause-proposed": {
    shape: "seat:number until:number",
    could: (clocks, { seat, until }, { at }) => !clocks.gone(seat) && !clocks.paused && until > at && until - at <= LONGEST_PAUSE,
    then: (clocks, { seat, until }) => (clocks.proposed = { seat, until, agreed: [seat] }),
  },
  "pause-agreed": {
    shape: "seat:number",
    could: (clocks, { seat }) => !clocks.gone(seat) && clocks.proposed !== null && !clocks.proposed.agreed.includes(seat),
    then: ({ proposed }, { seat }) => proposed?.agreed.push(seat),
  },
  "pause-withdrawn": {
    shape: "seat:number",
    could: (clocks, { seat }) => clocks.proposed?.seat === seat,
    then: (clocks) => (clocks.proposed = null),
  },
  "game-paused": {
    shape: "seat:number until:number",
    could: (clocks, { seat, until }) => clocks.proposed?.seat === seat && clocks.proposed.until === until
      && [...clocks.banks.keys()].every((each) => clocks.gone(each) || clocks.proposed.agreed.includes(each)),
    then(clocks, { seat, until }, at) {
      clocks.stop([...clocks.waits.keys()], at);
      [clocks.paused, clocks.proposed] = [{ seat, until }, null];
    },
  },
  "game-resumed": {
    shape: "seat:number",
    could: (clocks) => clocks.paused !== null,
    then(clocks, _, at) {
      clocks.paused = null;
      clocks.run([...clocks.waits.keys()], at);
    },
  },
};

// Names such as `localtime` mean something else on each machine.
const PUBLIC_ZONE = /^(UTC|(?!Etc\/|posix\/|right\/|SystemV\/)[A-Z][A-Za-z]+(\/[A-Za-z][A-Za-z0-9_+-]*)+)$/;
function isKnown(zone) {
  try {
    return PUBLIC_ZONE.test(zone) && Boolean(new Intl.DateTimeFormat("en", { timeZone: zone }));
  } catch {
    return false;
  }
}

function isPace({ free, bank, credit, cap, on_lapse: onLapse }) {
  const times = [free, bank, credit, cap].every((each) => each >= 0 && each * SECOND <= LONGEST);
  return times && ["stand-in", "resign", "end"].includes(onLapse);
}

// What others agreed to, where that was needed: all who are there, but the seat itself.
const consented = (clocks, { seat, agreed = [] }) => !agreed.length || (clocks.pace.take_back
  && [...clocks.banks.keys()].every((each) => each === seat || clocks.gone(each) || agreed.includes(each)));

// The clocks as if the step with the event `first`, and what was played since, had not been made.
function rewound(past, first) {
  const place = past.findIndex(({ line }) => line.seq === first);
  if (place < 1) return null;
  const clocks = past[place].clocks.copy();
  for (const name of ["resigned", "computers"]) clocks[name] = new Set(past.at(-1).clocks[name]);
  for (const { line, event } of past.slice(place)) {
    if (line.action === null && event.type !== "time-lapsed") FACTS[event.type]?.then(clocks, event.data, line.at);
  }
  return clocks;
}

/** Checks the clocks of a record with a pace; the three functions are the verifier's own. */
export function times({ lines, header }, { must, say, fits }) {
  must(isPace(header.pace), 1, say`no table can have this pace`);
  const zone = header.pace.weekdays;
  if (zone !== null && !isKnown(zone)) return { ...say`the clock cannot be checked here: the time zone ${zone} is not known`, ...UNCHECKED };
  const asked = new Map(lines.filter(({ fields }) => fields.kind === "asked").map(({ fields }) => [fields.seq, fields.seats]));
  const past = [];
  let [clocks, toAct, lapses] = [new Clocks(header.pace, header.seats), [], 0];
  for (const { seat } of header.computers ?? []) clocks.computers.add(seat);
  const steps = lines.filter(({ fields }) => fields.kind === "step");
  for (const [place, { number, fields: line }] of steps.entries()) {
    const [event] = line.events;
    past.push({ clocks: clocks.copy(), line, event });
    toAct = asked.get(line.seq) ?? toAct;
    if (line.action !== null && line.seat < header.seats) {
      const [service, standIn] = [SERVICE.includes(line.door), clocks.gone(line.seat) || clocks.lapsed.has(line.seat)];
      must(service === standIn && (line.door !== "timeout" || clocks.lapsed.has(line.seat)), number, say`another played this seat than its door says`);
      if (!service) clocks.lapses[line.seat] = 0;
    } else if (line.action === null && Object.hasOwn(FACTS, event.type)) {
      const { shape: fields, could, then } = FACTS[event.type];
      must(fits(event.data, fields) && could(clocks, event.data, line, steps[place + 1]?.fields), number, say`this could not be said of the time at that moment: ${event.type}`);
      then(clocks, event.data, line.at);
      lapses += event.type === "time-lapsed";
    } else if (event.type === "seat-resigned") {
      clocks.resigned.add(line.seat);
    } else if (event.type === "action-taken-back") {
      must(consented(clocks, event.data), number, say`not all have agreed to this taking back`);
      clocks = rewound(past, event.data.first);
      must(clocks, number, say`what is taken back is no step`);
    }
    clocks.await(toAct, line.action === null ? null : line.seat, line.at);
  }
  return say`no time lapsed before its deadline, and none was given that nobody gave; lapses: ${lapses}`;
}
