// Checks a game record (service/audit/README.md) without the server that wrote it: form, chain, seal and draws.
// Written apart from the checks of `boardroom verify`, and in another language, so that one can be held against the
// other. Runs in browsers and in Node 20 or later: `node verify.mjs RECORD [KEYS]`. What only the rules can tell, the
// legality of the actions and the score, is left to `boardroom verify`.

const SHAPES = {
  header: "commitment:string format:number game:string kind:string options:object revision:number ruleset:string seats:number",
  step: "action:object|null at:number decision:number door:string events:array kind:string seat:number|null seq:number",
  reveal: "kind:string seed:string",
  draws: "draws:array kind:string seq:number",
  result: "kind:string outcome:object|null standings:object|null",
  seal: "algorithm:string at:number head:string key:string kind:string public:string signature:string",
};
const NEXT = { "": "header", header: "step", step: "step reveal", reveal: "draws result", draws: "draws result", result: "seal", seal: "" };
const YEAR_10000 = 253402300800000;

function must(holds, line, wrong) {
  if (!holds) throw Object.assign(new Error(wrong), { line });
}

const utf8 = new TextEncoder();
const join = (...parts) => Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...utf8.encode(part)] : [...part])));
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
function unhex(text, line, bytes = "*") {
  must(new RegExp(`^([0-9a-f]{2})${bytes}$`).test(text), line, "a value is not in lower-case hex, or too long or short");
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
const big = (number) => unhex(number.toString(16).padStart(16, "0"));
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
async function hmac(key, bytes) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytes));
}

// Form: lines of canonical JSON, each with the fields of its kind.
function form(record) {
  const { bytes } = record;
  const ends = [...bytes.keys()].filter((place) => bytes[place] === 10);
  must(bytes.at(-1) === 10, ends.length + 1, "the file does not end with a line feed; its end is missing");
  const lines = ends.map((end, index) => parsed(bytes.subarray(index && ends[index - 1] + 1, end), index + 1));
  const kinds = lines.map((line) => line.fields.kind);
  if (kinds[0] !== "header" || kinds[1] !== "step" || !kinds.includes("reveal")) inOrder(lines);
  const reveal = lines[kinds.indexOf("reveal")];
  Object.assign(record, { lines, header: lines[0].fields, reveal, seed: unhex(reveal.fields.seed, reveal.number, "{32}") });
  return `${lines.length} lines of canonical JSON, each for itself as it has to be`;
}

function parsed(bytes, number) {
  let source, value;
  try {
    source = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    value = JSON.parse(source);
  } catch {
    must(false, number, "it is no JSON text in UTF-8");
  }
  must(typeOf(value) === "object", number, "it is no JSON object");
  must(canonical(value, number) === source, number, "it is not written in the canonical form of RFC 8785");
  const { check, ...fields } = value;
  must(Object.hasOwn(SHAPES, String(fields.kind)) && fits(fields, SHAPES[fields.kind]), number, "no kind of line has such fields");
  must(typeOf(check) === (fields.kind === "seal" ? "undefined" : "string"), number, "its check is missing, or one too many");
  must(!fields.events?.some((each) => !fits(each, "data:object type:string")), number, "an event has other fields than events have");
  must(!fields.draws?.some((each) => typeOf(each) !== "object"), number, "a draw is none");
  must(!("at" in fields) || (fields.at >= 0 && fields.at < YEAR_10000), number, "its moment is none of our time");
  must(fields.kind !== "header" || fields.format === 2, number, `its format is ${fields.format}, and this reads format 2`);
  return { number, fields, check, body: canonical(fields, number) };
}

const typeOf = (value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
function fits(value, shape) {
  const wanted = shape.split(" ").map((each) => each.split(":"));
  const right = ([name, types]) => types.split("|").includes(typeOf(value[name]));
  return typeOf(value) === "object" && Object.keys(value).length === wanted.length && wanted.every(right);
}

function canonical(value, line) {
  must(typeof value !== "number" || Number.isSafeInteger(value), line, "a number is not whole, or too large");
  must(typeof value !== "string" || value.isWellFormed(), line, "half a character is none");
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each, line)).join(",")}]`;
  return `{${Object.keys(value).sort().map((name) => `${canonical(name, line)}:${canonical(value[name], line)}`).join(",")}}`;
}

function inOrder(lines) {
  let [before, expected] = ["", 1];
  for (const { number, fields } of lines) {
    must(NEXT[before].split(" ").includes(fields.kind), number, `a line of kind ${fields.kind} cannot stand here`);
    must(fields.kind !== "step" || (fields.seq === expected && fields.events.length), number, `event ${expected} is missing`);
    expected += fields.events?.length ?? 0;
    before = fields.kind;
  }
  must(["result", "seal"].includes(before), lines.length + 1, "the record is not finished: its end is missing");
}

// Chain: the head after a line is SHA-256 of a zero, the head before it, a salt, and the line.
async function chain({ lines, header, reveal, seed }) {
  const committed = hex(await sha256(join("boardroom-seed-1\0", seed)));
  // The first event says the commitment once more, and so tells which of the two was changed.
  const changed = lines[1].fields.events[0]?.data.commitment === committed ? 1 : reveal.number;
  must(committed === header.commitment, changed, "the seed is not the one that was committed to before the game began");
  const key = await hmac(seed, join(`boardroom-chain-2\0${header.game}`));
  let head = new Uint8Array(32);
  for (const { number, fields, check, body } of lines) {
    must(fields.kind !== "seal" || number === lines.length, number, "a seal stands at the end");
    if (fields.kind === "seal") break;
    const event = { header: 0, step: fields.seq + (fields.events?.length ?? 0) - 1 }[fields.kind];
    const salt = event === undefined ? [] : (await hmac(key, big(event))).subarray(0, 16);
    head = await sha256(join([0], head, salt, body));
    must(hex(head.subarray(0, 8)) === check, number, "it does not fit the lines before it");
  }
  inOrder(lines);
  const last = lines.at(-1);
  must(last.fields.kind !== "seal" || last.fields.head === hex(head), last.number, "the seal is over another record");
  return `every line follows from the one before, and no event is missing; the head is ${hex(head)}`;
}

// Seal: a signature over the last head with a key that was published.
async function seal({ lines, keys }) {
  const { number, fields } = lines.at(-1);
  must(fields.kind === "seal" || !keys, number + 1, "there is no seal: nobody has vouched for this record");
  if (fields.kind !== "seal") return null;
  const [head, key, signature] = [fields.head, fields.public, fields.signature].map((text) => unhex(text, number));
  must(fields.algorithm === "Ed25519" && fields.key === hex(key.subarray(0, 8)), number, "its algorithm or key's name is wrong");
  const unusable = (error) => must(error.name === "NotSupportedError", number, "it has no key of Ed25519");
  const imported = await crypto.subtle.importKey("raw", key, { name: "Ed25519" }, false, ["verify"]).catch(unusable);
  if (!imported) return null;
  const genuine = await crypto.subtle.verify("Ed25519", imported, signature, join("boardroom-seal-2\0", head, big(fields.at)));
  must(genuine, number, "the signature is not that of the key");
  if (!keys) return `signed with the key ${fields.key}; whose key that is only the published keys can tell`;
  const known = keys.find((each) => each.key === fields.public);
  must(known, number, `the key ${fields.key} is none of those that were published`);
  const inUse = fields.at >= Date.parse(known.since) && !(known.until && fields.at > Date.parse(known.until));
  must(inUse, number, `the key ${fields.key} was not in use then`);
  return `signed with the published key ${fields.key} at ${new Date(fields.at).toISOString()}`;
}

// Draws: every shuffle and roll follows from the seed and the seats' own values.
async function draws({ lines, header, seed }) {
  const [started, forked] = lines[1].fields.events;
  must(Array.isArray(started.data.nonces), 2, "the seats' own values of chance are missing");
  const own = started.data.nonces.map((nonce) => unhex(nonce, 2));
  const key = await hmac(seed, join(`${header.game}\0`, ...own));
  const labels = new Set();
  for (const { number, fields } of lines) {
    for (const draw of fields.kind === "draws" ? fields.draws : []) {
      must(await follows(key, draw), number, `the draw "${draw.label}" does not follow from the seed`);
      must(!labels.has(draw.label), number, `the draw "${draw.label}" was made twice`);
      labels.add(draw.label);
    }
  }
  const from = forked?.type === "game-forked" ? `; what it takes over from game ${forked.data.game} was not checked` : "";
  return `all ${labels.size} draws follow from the seed and the seats' own values${from}`;
}

async function follows(key, draw) {
  const shuffle = fits(draw, "items:array label:string result:array");
  if (!shuffle && !(fits(draw, "label:string result:array sides:number") && draw.sides > 0)) return false;
  const below = stream(key, draw.label);
  const given = shuffle ? [...draw.items] : [];
  for (let last = given.length - 1; last > 0; last -= 1) {
    const other = await below(last + 1);
    [given[last], given[other]] = [given[other], given[last]];
  }
  while (!shuffle && given.length < draw.result.length) given.push(1 + (await below(draw.sides)));
  return canonical(given) === canonical(draw.result);
}

function stream(key, label) {
  let [words, counter] = [[], 0];
  return async (bound) => {
    for (;;) {
      if (!words.length) words = hex(await hmac(key, join(`${label}\0`, big(counter++)))).match(/.{16}/g);
      const word = BigInt(`0x${words.shift()}`);
      if (word < 2n ** 64n - (2n ** 64n % BigInt(bound))) return Number(word % BigInt(bound));
    }
  };
}

/** Returns what came of each level, as `boardroom verify --json` does; `keys` is the published list, or nothing. */
export async function verify(bytes, keys) {
  const [record, levels] = [{ bytes, keys }, []];
  for (const [level, check] of Object.entries({ form, chain, seal, draws })) {
    const found = (holds, said, line = null) => levels.push({ level, holds, said, line });
    try {
      const said = await check(record);
      found(said && true, said ?? "there is no seal, or this program cannot check it");
    } catch (fault) {
      found(false, fault.message, fault.line);
      break;
    }
  }
  return { game: record.header?.game ?? null, holds: levels.every((each) => each.holds !== false), levels };
}

if (typeof process !== "undefined" && import.meta.url === `file://${process.argv[1]}`) {
  const { readFile } = await import("node:fs/promises");
  const keys = process.argv[3] && JSON.parse(await readFile(process.argv[3], "utf8")).keys;
  const report = await verify(await readFile(process.argv[2]), keys);
  console.log(JSON.stringify(report, null, 1));
  process.exitCode = report.holds ? 0 : 1;
}
