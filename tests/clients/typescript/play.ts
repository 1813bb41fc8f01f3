/**
 * Plays whole games through openapi-fetch and the types that openapi-typescript has made from the document; no HTTP
 * of its own. Reads and writes the same as its sister in Python.
 */

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

import createClient, { type Client } from "openapi-fetch";

import type { components, paths } from "./generated/api.js";

type Seat = Client<paths>;
type Schemas = components["schemas"];
type Answer<Data> = { data?: Data; error?: Schemas["Problem"]; response: Response };
type Page<Item> = { items: Item[]; next: string | null };
type Query = { limit: number; after?: string };
type Body = Schemas["ActionAsJson"] | Schemas["ActionAsNotation"];
type More = { query?: { dry_run: "true" }; header?: { "Idempotency-Key": string; Prefer?: string } };
type Report = { actions: number; retried: boolean; minimal: boolean; foretold: boolean; stale: unknown[] | null };
type Told = { url: string; tokens: string[]; others: string };

const PAGE = 7;
const PATIENCE = 60_000;
/** How many times its quota a bucket is tried, at most, until one request is too many. */
const HURRY = 10;

/** Answers with what was refused or with what was not; waits as long as it is told to after too many requests. */
async function asked<Data>(call: () => Promise<Answer<Data>>): Promise<Answer<Data>> {
  let answer = await call();
  while (answer.response.status === 429) {
    await wait(1000 * Number(answer.response.headers.get("Retry-After")));
    answer = await call();
  }
  return answer;
}

/** Answers with the data; a refusal is an error. */
async function sent<Data>(call: () => Promise<Answer<Data>>): Promise<Data> {
  const { data, error } = await asked(call);
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

/** Answers with the refusal; there has to be one. */
async function refused<Data>(call: () => Promise<Answer<Data>>): Promise<Schemas["Problem"]> {
  const { data, error } = await asked(call);
  if (error === undefined) throw new Error(JSON.stringify(data));
  return error;
}

function check(holds: boolean, words: string): asserts holds {
  if (!holds) throw new Error(words);
}

function any<Item>(items: Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  check(item !== undefined, "there is nothing to choose from");
  return item;
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function seatOf(url: string, token: string): Seat {
  return createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${token}` } });
}

function of(game: string) {
  return { path: { game_id: game } };
}

/** Answers with all that there is in a list, read one to a page. */
async function pages<Item>(call: (query: Query) => Promise<Answer<Page<Item>>>): Promise<Item[]> {
  let page = await sent(() => call({ limit: 1 }));
  const found = [...page.items];
  while (page.next !== null) {
    const after = page.next;
    page = await sent(() => call({ limit: 1, after }));
    found.push(...page.items);
  }
  return found;
}

/** Answers with all events of the game, read page by page. */
async function events(seat: Seat, game: string): Promise<Schemas["Happening"][]> {
  const found: Schemas["Happening"][] = [];
  for (;;) {
    const params = { ...of(game), query: { after: found.at(-1)?.seq ?? 0, limit: PAGE } };
    const { items } = await sent(() => seat.GET("/api/v1/games/{game_id}/events", { params }));
    if (items.length === 0) return found;
    found.push(...items);
  }
}

/** Opens a game for the seats, has them sit down, the last one by an invitation, and starts it. */
async function opened(seats: Seat[]): Promise<string> {
  const [host, ...others] = seats as [Seat, ...Seat[]];
  const access = others.length > 0 ? ("public" as const) : ("invitation" as const);
  const body = { ruleset: "new-corp-order", seats: seats.length, name: "Clients", access };
  const { id } = await sent(() => host.POST("/api/v1/games", { body }));
  const invited = others.pop();
  for (const [index, each] of others.entries()) {
    const { seat } = await sent(() => each.POST("/api/v1/games/{game_id}/seats", { params: of(id) }));
    check(seat === index + 1, "the seats are not taken in their order");
  }
  if (invited !== undefined) {
    const invitation = { params: of(id), body: {} };
    const { url } = await sent(() => host.POST("/api/v1/games/{game_id}/invitations", invitation));
    const params = { path: { token: url?.split("/").at(-1) ?? "" } };
    const seated = await sent(() => invited.POST("/api/v1/invitations/{token}/seat", { params }));
    check(seated.game_id === id && seated.seat === seats.length - 1, "the invitation leads elsewhere");
  }
  const { status, name } = await sent(() => host.POST("/api/v1/games/{game_id}/start", { params: of(id) }));
  check(status === "running" && name === "Clients", status);
  return id;
}

/** Answers with the decision and the notation of any action, found step by step in the compact form. */
async function chosen(seat: Seat, game: string): Promise<Schemas["ActionAsNotation"]> {
  const params = { ...of(game), query: { form: "compact" as const } };
  const { decision, items, tree } = await sent(() => seat.GET("/api/v1/games/{game_id}/legal-actions", { params }));
  check(items.length === 0 && tree !== null, "that is not compact");
  let way = any(tree.options);
  while (way.next !== undefined) way = any(way.next.options);
  check(decision !== null && way.count === 1 && way.notation !== undefined, "the way does not lead to an action");
  return { decision, notation: way.notation };
}

/** Posts an action; with `more`, a header that it is posted under, or the wish to be told only what it would cause. */
function posting(seat: Seat, game: string, body: Body, more: More = {}) {
  return seat.POST("/api/v1/games/{game_id}/actions", { params: { ...of(game), ...more }, body });
}

/** Posts an action; it has to be played. */
async function played(seat: Seat, game: string, body: Body, more: More = {}): Promise<Schemas["Played"]> {
  const data = await sent(() => posting(seat, game, body, more));
  check("events" in data, "nothing was played");
  return data as Schemas["Played"];
}

/** Plays any legal action as JSON, asks before what it would cause, and retries it. */
async function tried(seat: Seat, game: string, report: Report): Promise<[Body, Schemas["Played"]]> {
  const params = { ...of(game), query: { language: "de" } };
  const { decision, items } = await sent(() => seat.GET("/api/v1/games/{game_id}/legal-actions", { params }));
  check(decision !== null, "there is no decision");
  const body = { decision, action: any(items).action as Schemas["ActionAsJson"]["action"] };
  const forecast = await sent(() => posting(seat, game, body, { query: { dry_run: "true" } }));
  check("complete" in forecast, "it was not only asked about");
  const key = { header: { "Idempotency-Key": randomUUID() } };
  const first = await played(seat, game, body, key);
  report.retried = same(first, await played(seat, game, body, key));
  const minimal = await played(seat, game, body, { header: { ...key.header, Prefer: "return=minimal" } });
  report.minimal = minimal.version === first.version && minimal.events.length === 0 && minimal.table.view === null;
  const foretold = (forecast as Schemas["Forecast"]).items.map((each) => each.type);
  report.foretold &&= same(foretold, first.events.slice(0, foretold.length).map((each) => each.type));
  return [body, first];
}

/** Plays any legal action, in either of the two ways to say it; answers with the game's version. */
async function act(seat: Seat, game: string, report: Report): Promise<number> {
  const notated = async () => {
    const body = await chosen(seat, game);
    return [body, await played(seat, game, body)] as const;
  };
  const [body, first] = report.actions % 2 === 1 ? await notated() : await tried(seat, game, report);
  if (report.stale === null && body.decision < first.decision) {
    const late = await refused(() => posting(seat, game, body));
    const since = late["since"] as unknown[];
    report.stale = [late.type, late.status, late["decision"] === first.decision, since.length > 0];
  }
  report.actions += 1;
  return first.version;
}

/** Plays the game to its end with any legal actions; on the way retries some, and answers one that has passed. */
async function play(seats: Seat[], game: string) {
  const [host] = seats as [Seat, ...Seat[]];
  const report: Report = { actions: 0, retried: false, minimal: false, foretold: true, stale: null };
  const shown = () => sent(() => host.GET("/api/v1/games/{game_id}", { params: of(game) }));
  const deadline = Date.now() + PATIENCE;
  let table = await shown();
  for (; table.outcome === null; table = await shown()) {
    check(Date.now() < deadline, "the game does not end");
    const { version: after, to_act } = table;
    const seat = seats.find((_, number) => to_act.includes(number));
    if (seat !== undefined) {
      check((await act(seat, game, report)) > after, "nothing has happened");
    } else {
      const params = { ...of(game), query: { after, wait: 1 } };
      await sent(() => host.GET("/api/v1/games/{game_id}/events", { params }));
    }
  }
  const standings = await sent(() => host.GET("/api/v1/games/{game_id}/standings", { params: of(game) }));
  check(same(standings.outcome, table.outcome), "two outcomes");
  const board = await sent(() => host.GET("/api/v1/games/{game_id}/board", { params: of(game), parseAs: "text" }));
  const numbers = (await events(host, game)).map((each) => each.seq);
  const paged = numbers.length === table.version && numbers.every((seq, index) => seq === index + 1);
  return { ...report, paged, winners: table.outcome["winners"], board: board.split("\n").length };
}

/** Says something and notes something; answers with what the other one hears and reads. */
async function talked(one: Seat, other: Seat, game: string): Promise<string[]> {
  const params = of(game);
  await sent(() => one.POST("/api/v1/games/{game_id}/talk", { params, body: { text: "Hello." } }));
  await sent(() => one.PUT("/api/v1/games/{game_id}/notes", { params, body: { text: "Red is strong." } }));
  const heard = await sent(() => other.GET("/api/v1/games/{game_id}/talk", { params }));
  const mine = await sent(() => one.GET("/api/v1/games/{game_id}/notes", { params }));
  const theirs = await sent(() => other.GET("/api/v1/games/{game_id}/notes", { params }));
  return [...heard.items.map((each) => each.text), mine.text, theirs.text];
}

/** Makes a token that is only good for reading and revokes it; answers with its scopes and what it was refused. */
async function restricted(seat: Seat, url: string, game: string): Promise<unknown[]> {
  const body = { label: "Reader", scopes: ["games:read" as const] };
  const made = await sent(() => seat.POST("/api/v1/tokens", { body }));
  const reader = seatOf(url, made.token);
  const params = of(game);
  const shown = await sent(() => reader.GET("/api/v1/games/{game_id}", { params }));
  check(shown.id === game, "another game");
  const { items } = await sent(() => seat.GET("/api/v1/tokens"));
  const remark = { params, body: { text: "Hello?" } };
  const lacking = await refused(() => reader.POST("/api/v1/games/{game_id}/talk", remark));
  await asked(() => seat.DELETE("/api/v1/tokens/{token_id}", { params: { path: { token_id: made.id } } }));
  const gone = await refused(() => reader.GET("/api/v1/games/{game_id}", { params }));
  return [items.find((each) => each.label === "Reader")?.scopes, lacking.type, gone.type];
}

/** Sets a webhook up and takes it away; answers with what those that there are, before and after, are told of. */
async function hooked(seat: Seat): Promise<string[][]> {
  const listed = async () => (await sent(() => seat.GET("/api/v1/webhooks"))).items.flatMap((each) => each.events);
  const body = { url: "https://example.org/hook", events: ["game.turn" as const] };
  const { id } = await sent(() => seat.POST("/api/v1/webhooks", { body }));
  const before = await listed();
  await asked(() => seat.DELETE("/api/v1/webhooks/{webhook_id}", { params: { path: { webhook_id: id } } }));
  return [before, await listed()];
}

/** Writes so often that it is too often, and once more after as long a wait as it is told; answers how that went. */
async function hurried(seat: Seat, game: string) {
  const note = (text: string) => seat.PUT("/api/v1/games/{game_id}/notes", { params: of(game), body: { text } });
  const me = await sent(() => seat.GET("/api/v1/me"));
  const quota = me.limits.find((each) => each.bucket === "writing")?.quota ?? 0;
  let answer = await note("0");
  for (let number = 1; answer.response.status !== 429 && number < HURRY * quota; number += 1) {
    answer = await note(String(number));
  }
  const { error, response } = answer;
  check(error !== undefined, "nothing is too often");
  const waited = Number(response.headers.get("Retry-After"));
  await wait(1000 * waited);
  const { data } = await note("At last.");
  return { refused: [error.type, error["bucket"], error["seconds"] === waited], waited, then: data?.text };
}

const told = JSON.parse(readFileSync(0, "utf8")) as Told;
const [alice, bob, carol] = told.tokens.map((token) => seatOf(told.url, token)) as [Seat, Seat, Seat];
const three = await opened([alice, bob, carol]);
const solo = await opened([alice]);
const other = await sent(() => alice.GET("/api/v1/games/{game_id}", { params: of(told.others) }));
const turns = await pages((query) => alice.GET("/api/v1/me/turns", { params: { query } }));
const games = await pages((query) => alice.GET("/api/v1/games", { params: { query } }));
const types = new Set((await events(alice, other.id)).map((each) => each.type));
const report = {
  turns: [solo, other.id].every((game) => turns.some((each) => each.game === game)),
  games: [three, solo, other.id].every((game) => games.some((each) => each.id === game)),
  unknown: [other.ruleset, [...types].sort()],
  talked: await talked(alice, bob, three),
  restricted: await restricted(alice, told.url, three),
  hooked: await hooked(alice),
  hurried: await hurried(alice, three),
  three: await play([alice, bob, carol], three),
  solo: await play([alice], solo),
};
process.stdout.write(JSON.stringify(report));
