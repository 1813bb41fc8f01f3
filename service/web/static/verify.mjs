// Checks a game record (service/audit/README.md) without the server that wrote it: form, chain, seal and draws.
// Written apart from the checks of `boardroom verify`, and in another language, so that one can be held against the
// other. Runs in browsers and in Node 20 or later: `node verify.mjs RECORD [KEYS]`. What only the rules can tell, the
// legality of the actions and the score, is left to `boardroom verify`.

const FIELDS = {
  header: "commitment format game kind options revision ruleset seats",
  lobby: "at event kind seat seq",
  step: "action at decision door events kind seat seq",
  reveal: "kind seed",
  draws: "draws kind seq",
  result: "kind outcome standings",
  seal: "algorithm at head key kind public signature",
};
const NEXT = { "": "header", header: "lobby step", lobby: "lobby step reveal", step: "step reveal", result: "seal", seal: "" };
NEXT.reveal = NEXT.draws = "draws result";

class Faulty extends Error {
  constructor(line, wrong) {
    super(wrong);
    this.line = line;
  }
}

const utf8 = new TextEncoder();
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text, line, length) => {
  if (typeof text !== "string" || !/^([0-9a-f]{2})*$/.test(text) || (length && text.length !== 2 * length)) {
    throw new Faulty(line, "a value that has to be in lower-case hex is not");
  }
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
};
const join = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const big = (number) => {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number));
  return bytes;
};
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
const keyed = async (key) => {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return async (bytes) => new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytes));
};

function canonical(value, line) {
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw new Faulty(line, "a number is not whole, or too large");
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each, line)).join(",")}]`;
  return `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name], line)}`).join(",")}}`;
}

function read(bytes) {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Faulty(firstUnreadable(bytes), "it is no text in UTF-8");
  }
  const raw = text.split("\n");
  if (raw.pop() !== "") throw new Faulty(raw.length + 1, "the file does not end with a line feed; its end is missing");
  const lines = raw.map((source, index) => parsed(source, index + 1));
  const kinds = lines.map((line) => line.fields.kind);
  if (kinds[0] !== "header" || !["lobby", "step"].includes(kinds[1]) || !kinds.includes("reveal")) inOrder(lines);
  return lines;
}

function inOrder(lines) {
  let [before, expected] = ["", { lobby: 1, step: 1 }];
  for (const { number, fields } of lines) {
    if (!NEXT[before].split(" ").includes(fields.kind)) throw new Faulty(number, `a line of kind ${fields.kind} cannot stand here`);
    const events = { lobby: 1, step: fields.events?.length }[fields.kind];
    if (events !== undefined) {
      if (fields.seq !== expected[fields.kind] || !events) throw new Faulty(number, `event ${expected[fields.kind]} is missing`);
      expected[fields.kind] += events;
    }
    before = fields.kind;
  }
  if (!["result", "seal"].includes(before)) throw new Faulty(lines.length + 1, "the record is not finished: its end is missing");
}

function firstUnreadable(bytes) {
  let [number, start] = [1, 0];
  for (let end = bytes.indexOf(10, start); end >= 0; end = bytes.indexOf(10, start), number += 1) {
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(start, end));
    } catch {
      break;
    }
    start = end + 1;
  }
  return number;
}

function parsed(source, number) {
  let fields;
  try {
    fields = JSON.parse(source);
  } catch {
    throw new Faulty(number, "it is no JSON text");
  }
  if (fields === null || typeof fields !== "object" || Array.isArray(fields)) throw new Faulty(number, "it is no JSON object");
  if (canonical(fields, number) !== source) throw new Faulty(number, "it is not written in the canonical form of RFC 8785");
  const { check, ...rest } = fields;
  let names = typeof rest.kind === "string" && Object.hasOwn(FIELDS, rest.kind) ? FIELDS[rest.kind] : null;
  if (rest.kind === "header" && rest.format === 3) names = names.replace("kind", "kind lobby");
  if (Object.keys(rest).sort().join(" ") !== names) throw new Faulty(number, "its kind is unknown, or it has other fields than its kind");
  if ((typeof check === "string") === (rest.kind === "seal")) throw new Faulty(number, "its check is missing, or one too many");
  const lists = { step: rest.events, draws: rest.draws };
  if (rest.kind in lists && !Array.isArray(lists[rest.kind])) throw new Faulty(number, "a list is missing");
  if (rest.kind === "lobby" && !hasFields(rest.event, "data type")) throw new Faulty(number, "its event is not complete");
  const known = rest.format === 2 || (rest.format === 3 && typeof rest.lobby === "string");
  if (rest.kind === "header" && !known) throw new Faulty(number, `nobody knows its format, ${rest.format}`);
  return { number, fields: rest, check, body: utf8.encode(canonical(rest, number)) };
}

const hasFields = (value, names) => value instanceof Object && !Array.isArray(value) && Object.keys(value).sort().join(" ") === names;

async function chain(lines, header, reveal) {
  const seed = unhex(reveal.fields.seed, reveal.number, 32);
  const committed = hex(await sha256(join(utf8.encode("boardroom-seed-1\0"), seed)));
  if (committed !== header.commitment) {
    // The first event says it once more, and so tells which of the two was changed.
    const first = lines[1].fields.event ?? lines[1].fields.events[0];
    const wrong = first?.data?.commitment === committed ? 1 : reveal.number;
    throw new Faulty(wrong, "the seed is not the one that was committed to before the game began");
  }
  const salts = await keyed(await (await keyed(seed))(utf8.encode(`boardroom-chain-2\0${header.game}`)));
  let [head, lobby] = [new Uint8Array(32), new Uint8Array(32)];
  for (const { number, fields, check, body } of lines) {
    if (fields.kind === "seal" && number < lines.length) throw new Faulty(number, "a seal stands at the end");
    if (fields.kind === "seal") break;
    const seq = { header: 0, step: fields.seq + (fields.events?.length ?? 0) - 1 }[fields.kind];
    const salt = seq === undefined ? [] : (await salts(big(seq))).subarray(0, 16);
    if (fields.kind === "lobby") {
      if (header.lobby === undefined) throw new Faulty(number, "the header knows of no lobby");
      lobby = await sha256(join([0], lobby, body));
    } else {
      const wrong = ["header", "lobby"].includes(lines[number - 2]?.fields.kind) && hex(lobby) !== (header.lobby || "00".repeat(32));
      if (wrong) throw new Faulty(number, "the end of the lobby is missing");
      head = await sha256(join([0], head, salt, body));
    }
    if (hex((fields.kind === "lobby" ? lobby : head).subarray(0, 8)) !== check) throw new Faulty(number, "it does not fit the lines before it");
  }
  inOrder(lines);
  const seal = lines.at(-1);
  if (seal.fields.kind === "seal" && seal.fields.head !== hex(head)) throw new Faulty(seal.number, "the seal is over another record");
  return `every line follows from the one before, and no event is missing; the head is ${hex(head)}`;
}

async function seal(line, keys) {
  const { number, fields } = line;
  if (fields.kind !== "seal" && keys) throw new Faulty(number + 1, "there is no seal: nobody has vouched for this record");
  if (fields.kind !== "seal") return null;
  const [head, key, signature] = [fields.head, fields.public, fields.signature].map((text) => unhex(text, number));
  if (fields.algorithm !== "Ed25519" || fields.key !== hex(key.subarray(0, 8))) throw new Faulty(number, "its algorithm or key's name is wrong");
  const signed = join(utf8.encode("boardroom-seal-2\0"), head, big(Number.isSafeInteger(fields.at) ? fields.at : 0));
  let imported;
  try {
    imported = await crypto.subtle.importKey("raw", key, { name: "Ed25519" }, false, ["verify"]);
  } catch (error) {
    if (error.name === "NotSupportedError") return null;
    throw new Faulty(number, "it has no key of Ed25519");
  }
  if (!(await crypto.subtle.verify("Ed25519", imported, signature, signed))) throw new Faulty(number, "the signature is not that of the key");
  if (!keys) return `signed with the key ${fields.key}; whose key that is only the published keys can tell`;
  const known = keys.find((each) => each.key === fields.public);
  if (!known) throw new Faulty(number, `the key ${fields.key} is none of those that were published`);
  if (fields.at < Date.parse(known.since) || (known.until && fields.at > Date.parse(known.until))) {
    throw new Faulty(number, `the key ${fields.key} was not in use then`);
  }
  return `signed with the published key ${fields.key} at ${new Date(fields.at).toISOString()}`;
}

// The fields of what happens in a lobby, and a function that lets it happen and returns whether it could.
const HAPPENS = {
  "game-opened": ["commitment options revision ruleset seats", (table, seat, data) =>
    (table.opened = data) && seat === 0 && Number.isInteger(data.revision)],
  "seat-taken": ["drawn_by invited nonce", (table, seat, data) => {
    let free = 0;
    while (table.present.has(free)) free += 1;
    table.present.set(seat, data);
    const right = typeof data.invited === "boolean" && typeof data.nonce === "string";
    return right && ["client", "server"].includes(data.drawn_by) && free < table.opened.seats && seat === free;
  }],
  "seat-left": ["", (table, seat) => table.present.size > 1 && table.present.delete(seat)],
  "player-kicked": ["kicked", (table, seat, { kicked }) => seat === hostOf(table) && seat !== kicked && table.present.delete(kicked)],
  "game-cancelled": ["", (table, seat) => (table.last = "game-cancelled") && seat === hostOf(table)],
  "start-given": ["", (table, seat) =>
    (table.last = "start-given") && table.present.size === table.opened.seats && [null, hostOf(table)].includes(seat)],
};
const hostOf = (table) => table.present.keys().next().value; // whoever has been there longest
function gather(lines) {
  const table = { opened: null, present: new Map(), last: null };
  for (const { number, fields } of lines.filter((line) => line.fields.kind === "lobby")) {
    const { type, data } = fields.event;
    const [names, happens] = typeof type === "string" && Object.hasOwn(HAPPENS, type) ? HAPPENS[type] : [];
    const could = (table.opened === null) === (type === "game-opened") && table.last === null && hasFields(data, names) && happens(table, fields.seat, data);
    if (!could) throw new Faulty(number, "this could not happen in the lobby then");
  }
  return table;
}

async function lobby(lines, header, setup) {
  const { opened, present, last } = gather(lines);
  const what = (game) => canonical(["commitment", "options", "ruleset", "seats"].map((name) => game?.[name] ?? null), 2);
  if (what(opened) !== what(header)) throw new Faulty(2, "the game that was opened is not the one of the header");
  const after = lines.find(({ number, fields }) => number > 1 && fields.kind !== "lobby").number;
  if (last !== (setup ? "start-given" : "game-cancelled")) throw new Faulty(after, "the lobby ended otherwise");
  if (!setup) return;
  const { nonces, drawn_by: drawnBy } = setup.fields.events[0].data ?? {};
  const committed = async (nonce) =>
    hex(await sha256(join(utf8.encode(`boardroom-nonce-1\0${header.game}\0`), unhex(nonce, setup.number))));
  const own = await Promise.all((Array.isArray(nonces) ? nonces : []).map(committed));
  const joined = ["nonce", "drawn_by"].map((name) => [...present.values()].map((each) => each[name]));
  const same = canonical([own, drawnBy ?? null], setup.number) === canonical(joined, setup.number);
  if (!same) throw new Faulty(setup.number, "the seats' own values of chance are not those that were given on joining");
}

async function draws(lines, header, reveal) {
  const setup = lines.find((line) => line.fields.kind === "step");
  if (header.format === 3) await lobby(lines, header, setup);
  if (!setup) return "the game was called off before anything was drawn";
  const nonces = setup.fields.events[0]?.data?.nonces;
  if (!Array.isArray(nonces)) throw new Faulty(setup.number, "the seats' own values of chance are missing");
  const own = nonces.map((nonce) => unhex(nonce, setup.number));
  const key = await (await keyed(unhex(reveal.fields.seed, reveal.number, 32)))(join(utf8.encode(`${header.game}\0`), ...own));
  const hmac = await keyed(key);
  const labels = new Set();
  for (const { number, fields } of lines.filter((line) => line.fields.kind === "draws")) {
    for (const draw of fields.draws) {
      if (labels.has(draw.label)) throw new Faulty(number, "a draw was made twice");
      labels.add(draw.label);
      if (!(await follows(hmac, draw, number))) throw new Faulty(number, `the draw "${draw.label}" does not follow from the seed`);
    }
  }
  return `all ${labels.size} draws follow from the seed and the seats' own values`;
}

async function follows(hmac, draw, line) {
  const names = Object.keys(draw ?? {}).sort().join(" ");
  if (!["items label result", "label result sides"].includes(names) || !Array.isArray(draw.result)) return false;
  const next = words(hmac, String(draw.label));
  let given;
  if (Array.isArray(draw.items)) {
    given = [...draw.items];
    for (let last = given.length - 1; last > 0; last -= 1) {
      const other = await below(BigInt(last + 1), next);
      [given[last], given[other]] = [given[other], given[last]];
    }
  } else {
    if (!(Number.isSafeInteger(draw.sides) && draw.sides > 0)) return false;
    given = [];
    while (given.length < draw.result.length) given.push(1 + (await below(BigInt(draw.sides), next)));
  }
  return canonical(given, line) === canonical(draw.result, line);
}

async function* words(hmac, label) {
  for (let counter = 0; ; counter += 1) {
    const block = new DataView((await hmac(join(utf8.encode(`${label}\0`), big(counter)))).buffer);
    for (let start = 0; start < 32; start += 8) yield block.getBigUint64(start);
  }
}

async function below(bound, next) {
  const limit = 2n ** 64n - (2n ** 64n % bound);
  for (;;) {
    const word = (await next.next()).value;
    if (word < limit) return Number(word % bound);
  }
}

/** Returns what came of each level, as `boardroom verify --json` does; `keys` is the published list, or nothing. */
export async function verify(bytes, keys) {
  const report = { game: null, holds: true, levels: [] };
  const found = (level, holds, said, line = null) => report.levels.push({ level, holds, said, line });
  let level = "form";
  try {
    const lines = read(bytes);
    const [header, reveal] = [lines[0].fields, lines.find((line) => line.fields.kind === "reveal")];
    report.game = header.game;
    found(level, true, `${lines.length} lines of canonical JSON, each for itself as it has to be`);
    found((level = "chain"), true, await chain(lines, header, reveal));
    const sealed = await seal(lines.at(-1), ((level = "seal"), keys));
    found(level, sealed && true, sealed ?? "there is no seal, or this program cannot check it");
    found((level = "draws"), true, await draws(lines, header, reveal));
  } catch (fault) {
    report.holds = false;
    found(level, false, fault.message, fault instanceof Faulty ? fault.line : null);
  }
  return report;
}

if (typeof process !== "undefined" && import.meta.url === `file://${process.argv[1]}`) {
  const { readFile } = await import("node:fs/promises");
  const keys = process.argv[3] && JSON.parse(await readFile(process.argv[3], "utf8")).keys;
  const report = await verify(await readFile(process.argv[2]), keys);
  console.log(JSON.stringify(report, null, 1));
  process.exitCode = report.holds ? 0 : 1;
}
