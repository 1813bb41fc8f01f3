// Holds a game record against the deal of its day (service/record/README.md): what was committed to before that day, as
// /deals/{day}/proof tells it, is what was played. Used by verify.mjs, beside which it lies.

const LABEL = "boardroom-deal-1\0";
const PLAYED = ["commitment", "options", "ruleset", "seats"];

/** Returns what came of the level, or throws what is wrong; `deal` is the proof, `tools` are those of verify.mjs. */
export async function held({ header, deal, keys }, tools) {
  const { big, canonical, join, must, say, sha256, unhex } = tools;
  const { day, tree, ...told } = deal;
  const what = (each) => canonical(Object.fromEntries(PLAYED.map((name) => [name, each[name]])));
  must(header.deal === day && what(header) === what(told), 1, say`the game is not the one of the deal of ${String(day)}`);
  const [at, key, signature] = [Date.parse(told.at), unhex(told.public, null, "{32}"), unhex(told.signature, null, "{64}")];
  const over = canonical({ ...Object.fromEntries(PLAYED.map((name) => [name, told[name]])), day, kind: "deal" });
  const imported = await crypto.subtle.importKey("raw", key, { name: "Ed25519" }, false, ["verify"]).catch(() => null);
  if (!imported) return { holds: null, missing: true, ...say`this browser or program cannot check seals: it does not know Ed25519` };
  const signed = join(LABEL, await sha256(join(over)), big(at));
  const genuine = await crypto.subtle.verify("Ed25519", imported, signature, signed);
  must(genuine, null, say`the signature of the deal is not that of its key`);
  const inUse = ({ key: name, since, until }) => name === told.public && at >= Date.parse(since) && !(until && at > Date.parse(until));
  must(!keys || keys.some(inUse), null, say`the key of the deal is none that was published and in use then`);
  must(at < Date.parse(`${day}T00:00Z`), null, say`the seed was not committed to before the day of the deal`);
  const when = new Date(at);
  if (!tree) return { holds: null, ...say`the seed was committed to at ${when}; that day has no root yet` };
  const reached = await rootOf(tree, signature, tools);
  must(tree.day < day && reached === tree.root, null, say`the deal is not among the leaves of a day before it`);
  return say`the seed was committed to at ${when}, under the root of ${tree.day}, which is ${tree.root}; compare it with that published`;
}

// The root to which a leaf leads (RFC 9162, 2.1.3.2), null if the way is too long or too short.
async function rootOf({ path, index, count }, leaf, { hex, join, sha256, unhex }) {
  let [place, last, reached] = [index, count - 1, await sha256(join([0], leaf))];
  if (!(place >= 0 && place <= last)) return null;
  for (const step of path.map((each) => unhex(each, null, "{32}"))) {
    if (!last) return null;
    const right = place % 2 === 1 || place === last;
    reached = await sha256(right ? join([1], step, reached) : join([1], reached, step));
    for (; right && place % 2 === 0 && place; ) [place, last] = [place >> 1, last >> 1];
    [place, last] = [place >> 1, last >> 1];
  }
  return last ? null : hex(reached);
}
