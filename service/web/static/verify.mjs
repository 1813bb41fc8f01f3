// Checks a game record (service/record/README.md) without the server that wrote it: form, chain, seal and draws; what only
// the rules can tell is left to `boardroom verify`. Written apart from that, and in another language, so that one can be
// held against the other. Runs in browsers and in Node 20 or later: `node verify.mjs RECORD [KEYS [DEAL]]`.

const SHAPES = {
  header: "commitment:string format:number game:string kind:string options:object revision:number ruleset:string seats:number",
  lobby: "at:number event:object kind:string seat:number|null seq:number",
  step: "action:object|null at:number decision:number door:string events:array kind:string seat:number|null seq:number",
  reveal: "kind:string seed:string",
  draws: "draws:array kind:string seq:number",
  asked: "kind:string seats:array seq:number",
  result: "kind:string outcome:object|null standings:object|null",
  seal: "algorithm:string at:number head:string key:string kind:string public:string signature:string",
};
const ADDED = { 3: " lobby:string", 4: " lobby:string origin:object", 5: " lobby:string origin:object|null pace:object",
  6: " computers:array lobby:string origin:object|null pace:object|null",
  7: " computers:array deal:string lobby:string origin:null pace:null",
  8: " computers:array deal:string|null lobby:string origin:object|null pace:object|null" };
// From this format on no moment is before that of the line before it.
const MONOTONE = 8;
const NEWEST = 8;
const PACE = "away:boolean bank:number cap:number credit:number free:number on_lapse:string take_back:boolean weekdays:string|null";
const DOORS = ["api", "web", "link", "reply", "timeout", "worker", "order"];
const NEXT = { "": "header", header: "lobby step", lobby: "lobby step reveal", step: "step reveal", result: "seal", seal: "" };
NEXT.reveal = NEXT.draws = "draws asked result";
NEXT.asked = "asked result";

const LONGEST_LINE = 4e6;
/** The most bytes of a record that are read. */
export const LONGEST_RECORD = 8e6;

/** Returns the text with each control character, also those that turn the direction of writing round, as its escape. */
export const visible = (text) => text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (sign) => {
  const [number, joins] = [sign.codePointAt(0).toString(16), "\u200c\u200d".includes(sign)];
  return joins ? sign : number.length > 4 ? `\\U${number.padStart(8, "0")}` : `\\u${number.padStart(4, "0")}`;
});

// A sentence that was found, with its template and values, so that it can be said in another language.
const say = (parts, ...values) => ({
  template: parts.reduce((before, part, index) => `${before}{${index - 1}}${part}`),
  values,
  toString: () => String.raw({ raw: parts }, ...values.map((each) => (each instanceof Date ? each.toISOString() : each))),
});
function must(holds, line, said) {
  if (!holds) throw { holds: false, line, ...said };
}

const join = (...parts) => Uint8Array.from(parts.flatMap((part) => [...(typeof part === "string" ? new TextEncoder().encode(part) : part)]));
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
function unhex(text, line, bytes = "*") {
  must(typeof text === "string" && RegExp(`^([0-9a-f]{2})${bytes}$`).test(text), line, say`a value is not in hex as it has to be`);
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
const big = (number) => unhex(number.toString(16).padStart(16, "0"));
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
async function hmac(key, bytes) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytes));
}

// Form: lines of canonical JSON, each with the fields of its kind.
async function form(record) {
  const ends = [];
  for (let end = record.bytes.indexOf(10); end >= 0; end = record.bytes.indexOf(10, end + 1)) ends.push(end);
  const lines = ends.map((end, index) => parsed(record.bytes.subarray(index && ends[index - 1] + 1, end), index + 1));
  must(record.bytes.at(-1) === 10, ends.length + 1, say`the file does not end with a line feed; its end is missing`);
  const kinds = lines.map((line) => line.fields.kind);
  if (kinds[0] !== "header" || !["lobby", "step"].includes(kinds[1]) || !kinds.includes("reveal")) inOrder(lines);
  const reveal = lines[kinds.indexOf("reveal")];
  const [lobby, [setup]] = ["lobby", "step"].map((kind) => lines.filter((line) => line.fields.kind === kind));
  Object.assign(record, { lines, header: lines[0].fields, lobby, setup, reveal, seed: unhex(reveal.fields.seed, reveal.number, "{32}") });
  return say`every line is canonical JSON with the fields of its kind; lines: ${lines.length}`;
}

function parsed(bytes, number) {
  must(bytes.length <= LONGEST_LINE, number, say`it is too long for a line`);
  let source, value;
  try {
    source = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    value = JSON.parse(source);
  } catch {
    must(false, number, say`it is no JSON text in UTF-8`);
  }
  must(typeOf(value) === "object", number, say`it is no JSON object`);
  must(canonical(value, number) === source, number, say`it is not written in the canonical form of RFC 8785`);
  const { check, ...fields } = value;
  if (number === 1 && fields.kind === "header" && Number.isSafeInteger(fields.format) && fields.format > NEWEST) {
    throw { holds: null, missing: true, ...say`format ${fields.format} is newer than this program, which reads the formats up to ${NEWEST}` };
  }
  const shape = Object.hasOwn(SHAPES, String(fields.kind)) && SHAPES[fields.kind] + (ADDED[fields.format] ?? "");
  must(fields.kind !== "view", number, say`this is what one seat may see of a game; the record is made when the game is over`);
  const origin = fields.kind !== "header" || !fields.origin || fits(fields.origin, "game:string head:string|null seq:number");
  const pace = fields.kind !== "header" || !fields.pace || fits(fields.pace, PACE);
  const computers = fields.kind !== "header" || !fields.computers || areComputers(fields);
  const deal = fields.kind !== "header" || !fields.deal || (computers && isDeal(fields));
  const door = fields.kind !== "step" || DOORS.includes(fields.door);
  must(shape && fits(fields, shape) && origin && pace && computers && deal && door, number, say`no kind of line has such fields`);
  must(typeOf(check) === (fields.kind === "seal" ? "undefined" : "string"), number, say`its check is missing, or it has one and must not`);
  must(eventsOf(fields).every((each) => fits(each, "data:object type:string")), number, say`an event has other fields than events have`);
  must(!fields.draws?.some((each) => typeOf(each) !== "object"), number, say`a draw is no JSON object`);
  must(!("at" in fields) || (fields.at >= 0 && fields.at < Date.UTC(10000, 0)), number, say`its moment is before 1970 or after the year 9999`);
  must(fields.kind !== "header" || (fields.format >= 2 && fields.format <= NEWEST), number, say`format ${fields.format} is not known here`);
  return { number, fields, check, body: canonical(fields, number) };
}

// The computer players that a game began with, by seats in rising order; somebody else sits there, too.
const areComputers = ({ computers, deal, format, seats }) => Array.isArray(computers)
  && (format >= MONOTONE || computers.length > 0 === (deal === undefined)) && computers.length < seats
  && computers.every((each, index) => fits(each, "level:string seat:number version:number") && each.seat < seats
    && each.seat > (computers[index - 1]?.seat ?? -1));
// A game of a day's deal has nothing of its own beside the day.
const isDeal = ({ computers, deal, origin, pace }) => /^\d{4}-\d{2}-\d{2}$/.test(deal) && !computers?.length && !origin && !pace;
const eventsOf = (fields) => fields.events ?? (fields.kind === "lobby" ? [fields.event] : []);
const typeOf = (value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
function fits(value, shape) {
  const wanted = shape.split(" ").filter(Boolean).map((each) => each.split(":"));
  const right = ([name, types]) => types.split("|").includes(typeOf(value[name]));
  return typeOf(value) === "object" && Object.keys(value).length === wanted.length && wanted.every(right);
}

function canonical(value, line) {
  must(typeof value !== "number" || Number.isSafeInteger(value), line, say`a number is not whole, or too large`);
  must(typeof value !== "string" || value.isWellFormed(), line, say`a text has half a character in it`);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each, line)).join(",")}]`;
  return `{${Object.keys(value).sort().map((name) => `${canonical(name, line)}:${canonical(value[name], line)}`).join(",")}}`;
}

function inOrder(lines) {
  let [before, expected] = ["", { lobby: 1, step: 1 }];
  for (const { number, fields } of lines) {
    const [next, many] = [expected[fields.kind], eventsOf(fields).length];
    must(NEXT[before].split(" ").includes(fields.kind), number, say`a line of kind ${fields.kind} cannot stand here`);
    must(next === undefined || (fields.seq === next && many), number, say`event ${next} is missing`);
    if (next) expected[fields.kind] += many;
    before = fields.kind;
  }
  must(["result", "seal"].includes(before), lines.length + 1, say`the record is not finished: its end is missing`);
}

function neverFalling(lines) {
  let last = 0;
  for (const { number, fields: { at = last } } of lines) {
    must(at >= last, number, say`its moment is before that of the line before it`);
    last = at;
  }
}

// Chain: the head after a line is SHA-256 of a zero, the head before it, a salt, and the line. The lobby has its own.
async function chain({ lines, header, reveal, seed }) {
  const committed = hex(await sha256(join("boardroom-seed-1\0", seed)));
  // The first event says the commitment once more, and so tells which of the two was changed.
  const changed = eventsOf(lines[1].fields)[0]?.data.commitment === committed ? 1 : reveal.number;
  must(committed === header.commitment, changed, say`the seed is not the one that was committed to before the game began`);
  const key = await hmac(seed, join(`boardroom-chain-2\0${header.game}`));
  const heads = { lobby: new Uint8Array(32), game: new Uint8Array(32) };
  for (const { number, fields, check, body } of lines) {
    must(fields.kind !== "seal" || number === lines.length, number, say`a seal can only stand at the end`);
    if (fields.kind === "seal") break;
    const own = fields.kind === "lobby" ? "lobby" : "game";
    must(own === "game" || header.format > 2, number, say`the header knows of no lobby`);
    const gathered = own === "game" && ["header", "lobby"].includes(lines[number - 2]?.fields.kind);
    must(!gathered || hex(heads.lobby) === (header.lobby || "00".repeat(32)), number, say`the end of the lobby is missing`);
    const event = { header: 0, step: fields.seq + (fields.events?.length ?? 0) - 1 }[fields.kind];
    const salt = event === undefined ? [] : (await hmac(key, big(event))).subarray(0, 16);
    heads[own] = await sha256(join([0], heads[own], salt, body));
    must(hex(heads[own].subarray(0, 8)) === check, number, say`it does not fit the lines before it`);
  }
  inOrder(lines);
  if (header.format >= MONOTONE) neverFalling(lines);
  const [last, head] = [lines.at(-1), heads.game];
  must(last.fields.kind !== "seal" || last.fields.head === hex(head), last.number, say`the seal is over another record`);
  return say`every line follows from the one before, and no event is missing; the head is ${hex(head)}`;
}

// Seal: a signature over the last head with a key that was published.
async function seal({ lines, keys }) {
  const { number, fields } = lines.at(-1);
  must(fields.kind === "seal" || !keys, number + 1, say`there is no seal: nobody has vouched for this record`);
  if (fields.kind !== "seal") return { holds: null, ...say`there is no seal` };
  const [head, key, signature] = [fields.head, fields.public, fields.signature].map((text) => unhex(text, number));
  must(fields.algorithm === "Ed25519" && fields.key === hex(key.subarray(0, 8)), number, say`its algorithm or key's name is wrong`);
  const unusable = (error) => must(error.name === "NotSupportedError", number, say`its key is none of Ed25519`);
  const imported = await crypto.subtle.importKey("raw", key, { name: "Ed25519" }, false, ["verify"]).catch(unusable);
  if (!imported) return { holds: null, missing: true, ...say`this browser or program cannot check seals: it does not know Ed25519` };
  const genuine = await crypto.subtle.verify("Ed25519", imported, signature, join("boardroom-seal-2\0", head, big(fields.at)));
  must(genuine, number, say`the signature was not made with the key`);
  if (!keys) return say`signed with the key ${fields.key}; whose key that is only the published keys can tell`;
  const known = keys.find((each) => each.key === fields.public);
  must(known, number, say`the key ${fields.key} is none of those that were published`);
  const inUse = fields.at >= Date.parse(known.since) && !(known.until && fields.at > Date.parse(known.until));
  must(inUse, number, say`the key ${fields.key} was not in use at ${new Date(fields.at)}`);
  return say`signed with the published key ${fields.key} at ${new Date(fields.at)}`;
}

// Lobby: what can happen at a table before its game; whoever has been there longest is the host.
const HAPPENS = {
  "game-opened": ["commitment:string options:object revision:number ruleset:string seats:number", ({ seat }) => seat === 0],
  "seat-taken": ["drawn_by:string invited:boolean nonce:string", ({ data, seat, seats, free }) =>
    seat === free && seat < seats && ["client", "server"].includes(data.drawn_by)],
  "seat-filled": ["drawn_by:string level:string nonce:string", ({ data, seat, seats, free }) =>
    seat === free && seat < seats && ["client", "server"].includes(data.drawn_by)],
  "seat-left": ["", ({ seat, people }) => people.includes(seat) && people.length > 1],
  "player-kicked": ["kicked:number", ({ data, seat, present, host }) => seat === host && data.kicked !== host && present.has(data.kicked)],
  "game-cancelled": ["", ({ seat, host }) => seat === host],
  "start-given": ["", ({ seat, present, seats, host }) => [null, host].includes(seat) && present.size === seats],
};
function gather({ header, lobby, setup, lines }) {
  const present = new Map();
  let [opened, last, free] = [null, null, 0];
  for (const { number, fields: { seat, event: { data, type } } } of lobby) {
    const [shape, could] = Object.hasOwn(HAPPENS, type) ? HAPPENS[type] : [];
    const more = type === "game-opened" && header.format >= MONOTONE ? " format:number" : "";
    for (free = 0; present.has(free); ) free += 1;
    const now = !opened === (type === "game-opened") && !["game-cancelled", "start-given"].includes(last);
    const people = [...present.keys()].filter((each) => present.get(each).level === undefined);
    const table = { data, seat, present, free, seats: opened?.seats, people, host: people[0] };
    must(shape !== undefined && fits(data, shape + more) && now && could(table), number, say`this could not happen in the lobby at that moment`);
    opened ??= data;
    if (["seat-taken", "seat-filled"].includes(type)) present.set(seat, data);
    present.delete({ "seat-left": seat, "player-kicked": data.kicked }[type]);
    last = type;
  }
  const format = header.format >= MONOTONE ? opened?.format : header.format;
  const what = ({ commitment, options, ruleset, seats }) => canonical({ commitment, options, ruleset, seats });
  must(opened && what(opened) === what(header) && format === header.format, 2, say`the game that was opened is not the one of the header`);
  must(last === (setup ? "start-given" : "game-cancelled"), lines[lobby.length + 1].number, say`the lobby ended otherwise than it goes on here`);
  // The seats are numbered anew as the game begins, in the order of joining.
  const filled = [...present.values()].flatMap(({ level }, seat) => (level === undefined ? [] : [{ level, seat }]));
  const began = (header.computers ?? []).map(({ level, seat }) => ({ level, seat }));
  must(!setup || canonical(filled) === canonical(began), setup?.number, say`other computer players begin than sat at the table`);
  return ["nonce", "drawn_by"].map((name) => Array.from(present.values(), (each) => each[name]));
}

// Draws: every shuffle and roll follows from the seed and the seats' own values, which were given on joining.
async function draws(record) {
  const { lines, header, setup, seed } = record;
  const joined = header.format > 2 ? gather(record) : null;
  if (!setup) return say`the game was called off before anything was drawn`;
  const [{ data: { nonces, drawn_by: drawnBy } }, forked] = setup.fields.events;
  must(Array.isArray(nonces), setup.number, say`the seats' own values of chance are missing`);
  const own = nonces.map((nonce) => unhex(nonce, setup.number));
  const given = await Promise.all(own.map((each) => sha256(join(`boardroom-nonce-1\0${header.game}\0`, each))));
  const same = !joined || canonical(joined) === canonical([given.map(hex), drawnBy ?? null]);
  must(same, setup.number, say`the seats' own values of chance are not those that were given on joining`);
  const key = await hmac(seed, header.deal ? join(`boardroom-deal-1\0${header.deal}`) : join(`${header.game}\0`, ...own));
  const [labels, undone] = [new Set(), new Set()];
  const steps = lines.filter(({ fields }) => fields.kind === "step");
  const back = steps.flatMap(({ fields }) => fields.events.filter(({ type }) => type === "action-taken-back"));
  const all = lines.flatMap(({ number, fields }) => (fields.draws ?? []).map((draw) => [number, draw, fields.seq]));
  for (const [number, draw, seq] of all) {
    const name = String(canonical(draw.label)).slice(0, 40); // which may be of any kind and length
    must(await follows(key, draw), number, say`the draw ${name} does not follow from the seed`);
    must(!labels.has(draw.label) || undone.has(draw.label), number, say`the draw ${name} was made twice`);
    labels.add(draw.label);
    // What was taken back by consent may be drawn once more.
    const gone = back.some(({ data: { first, last } }) => (
      Number.isInteger(first) && Number.isInteger(last) && first <= seq && seq <= last
    ));
    undone[gone ? "add" : "delete"](draw.label);
  }
  if (header.deal) return say`every draw follows from the seed of the deal of ${header.deal} alone; draws: ${labels.size}`;
  const found = say`every draw follows from the seed and the seats' own values; draws: ${labels.size}`;
  const theirs = drawnBy?.filter?.((each) => each === "client").length;
  const whole = joined ? say`${found}; these values were given on joining, by the players themselves: ${theirs} of ${own.length}` : found;
  return forked?.type === "game-forked" ? say`${whole}; what it takes over from another game was not checked` : whole;
}

// Time: of a game with a clock, whose file lies beside this one.
async function time({ lines, header }) {
  const { times } = await import("./clocks.mjs");
  return times({ lines, header }, { must, say, fits });
}

// Deal: what was committed to before the day of a deal, whose file lies beside this one, too.
async function dealt(record) {
  const { held } = await import("./deal.mjs");
  return held(record, { big, canonical, hex, join, must, say, sha256, unhex });
}

async function follows(key, draw) {
  const shuffle = fits(draw, "items:array label:string result:array");
  if (!shuffle && !(fits(draw, "label:string result:array sides:number") && draw.sides > 0)) return false;
  let [words, counter] = [[], 0];
  const below = async (bound) => {
    if (!words.length) words = hex(await hmac(key, join(`${draw.label}\0`, big(counter++)))).match(/.{16}/g);
    const word = BigInt(`0x${words.shift()}`);
    return word < 2n ** 64n - (2n ** 64n % BigInt(bound)) ? Number(word % BigInt(bound)) : below(bound);
  };
  const given = shuffle ? [...draw.items] : [];
  for (let last = given.length - 1; last > 0; last -= 1) {
    const other = await below(last + 1);
    [given[last], given[other]] = [given[other], given[last]];
  }
  while (!shuffle && given.length < draw.result.length) given.push(1 + (await below(draw.sides)));
  return canonical(given) === canonical(draw.result);
}

/**
 * Returns what came of each level, as `boardroom verify --json` does, and whether all holds: null if something cannot be
 * checked here, since this browser or program knows too little, which accuses nobody. `keys` is the published list, or nothing, and `deal` the
 * proof of the deal of the record's day.
 */
export async function verify(bytes, keys, deal) {
  const [record, levels] = [{ bytes, keys, deal }, []];
  for (const [level, check] of Object.entries({ form, chain, seal, draws, time, deal: dealt })) {
    if ((level === "time" && !record.header.pace) || (level === "deal" && !deal)) continue;
    const came = await check(record).catch((fault) => ({ ...say`nobody can make sense of it (${fault.name})`, holds: false, ...fault }));
    levels.push({ level, holds: true, said: String(came), line: null, ...came });
    if (came.holds === false || !record.lines) break;
  }
  const wrong = levels.some((each) => each.holds === false);
  const holds = wrong ? false : levels.some((each) => each.missing) ? null : true;
  return { game: record.header?.game ?? null, holds, levels };
}

// No file is read any further, so that none fills the memory.
function bounded({ closeSync, openSync, readSync }, path) {
  const [bytes, open] = [new Uint8Array(LONGEST_RECORD + 1), openSync(path)];
  let [length, more] = [0, 1];
  for (; more && length < bytes.length; length += more) more = readSync(open, bytes, length, bytes.length - length);
  closeSync(open);
  if (length === bytes.length) throw Error(`${path} has more than the ${LONGEST_RECORD} bytes that a record may have`);
  return bytes.subarray(0, length);
}

const [, program, file, published, proved] = globalThis.process?.argv ?? [];
if (program) {
  const [fs, { pathToFileURL }] = [await import("node:fs"), await import("node:url")];
  if (fs.existsSync(program) && pathToFileURL(fs.realpathSync(program)).href === import.meta.url) {
    const inWords = ({ level, holds, line, said }) => `${level} holds: ${holds ?? "not checked"}; ${line ? `line ${line}: ` : ""}${said}`;
    try {
      const keys = published && JSON.parse(new TextDecoder().decode(bounded(fs, published))).keys;
      const deal = proved && JSON.parse(new TextDecoder().decode(bounded(fs, proved)));
      const { holds, levels } = await verify(bounded(fs, file ?? ""), keys, deal);
      console.log(levels.map((each) => visible(inWords(each))).join("\n"));
      process.exitCode = { true: 0, false: 1, null: 3 }[holds];
    } catch (error) {
      console.error(`${visible(error.message)}\nusage: node verify.mjs RECORD [KEYS [DEAL]]`);
      process.exitCode = 2;
    }
  }
}
