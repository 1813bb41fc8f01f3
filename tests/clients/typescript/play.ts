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
type Report = { actions: number; retried: boolean; stale: unknown[] | null };
type Told = { url: string; tokens: string[]; others: string; hurry: number };

const PAGE = 7;
const PATIENCE = 60_000;

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

function check(holds: boolean, words: string): asserts holds {
  if (!holds) throw new Error(words);
}

/** Posts a legal action as JSON under a key, or else in notation. */
function posted(seat: Seat, game: string, decision: number, choice: Schemas["Choice"], key?: string) {
  const action = choice.action as Schemas["ActionAsJson"]["action"];
  const body = key === undefined ? { decision, notation: choice.notation } : { decision, action };
  const header = key === undefined ? {} : { "Idempotency-Key": key };
  const params = { path: { game_id: game }, header };
  return asked(() => seat.POST("/api/v1/games/{game_id}/actions", { params, body }));
}

/** Opens a game for the seats, has them all sit down, and starts it. */
async function opened(seats: Seat[]): Promise<string> {
  const [host, ...others] = seats as [Seat, ...Seat[]];
  const body = { ruleset: "new-corp-order", seats: seats.length };
  const { id } = await sent(() => host.POST("/api/v1/games", { body }));
  const params = { path: { game_id: id } };
  for (const [index, each] of others.entries()) {
    const { seat } = await sent(() => each.POST("/api/v1/games/{game_id}/seats", { params }));
    check(seat === index + 1, "the seats are not taken in their order");
  }
  let table = await sent(() => host.GET("/api/v1/games/{game_id}", { params }));
  if (table.status === "open") table = await sent(() => host.POST("/api/v1/games/{game_id}/start", { params }));
  check(table.status === "running", table.status);
  return id;
}

/** Plays the game to its end with any legal actions; on the way retries one, and answers one that has passed. */
async function play(seats: Seat[], game: string) {
  const [host] = seats as [Seat, ...Seat[]];
  const report: Report = { actions: 0, retried: false, stale: null };
  const params = { path: { game_id: game } };
  const shown = () => sent(() => host.GET("/api/v1/games/{game_id}", { params }));
  const deadline = Date.now() + PATIENCE;
  let table = await shown();
  for (; table.outcome === null; table = await shown()) {
    check(Date.now() < deadline, "the game does not end");
    const seat = seats.find((_, number) => table.to_act.includes(number));
    if (seat === undefined) await wait(50);
    else await act(seat, game, table.version, report);
  }
  const standings = await sent(() => host.GET("/api/v1/games/{game_id}/standings", { params }));
  check(JSON.stringify(standings.outcome) === JSON.stringify(table.outcome), "two outcomes");
  const board = await sent(() => host.GET("/api/v1/games/{game_id}/board", { params, parseAs: "text" }));
  return { ...report, events: table.version, winners: table.outcome["winners"], board: board.split("\n").length };
}

async function act(seat: Seat, game: string, version: number, report: Report): Promise<void> {
  const params = { path: { game_id: game }, query: { language: "de" } };
  const { decision, items } = await sent(() => seat.GET("/api/v1/games/{game_id}/legal-actions", { params }));
  const choice = items[Math.floor(Math.random() * items.length)];
  check(decision !== null && choice !== undefined, "there is no legal action");
  const key = report.actions % 2 === 1 ? randomUUID() : undefined;
  const { data: first, error } = await posted(seat, game, decision, choice, key);
  check(first !== undefined, JSON.stringify(error));
  check(first.version > version, "nothing has happened");
  if (key !== undefined && !report.retried) {
    const { data: again } = await posted(seat, game, decision, choice, key);
    report.retried = JSON.stringify(again) === JSON.stringify(first);
  }
  if (report.stale === null && decision < first.decision) {
    const { error: late } = await posted(seat, game, decision, choice);
    check(late !== undefined, "an answer to a decision that has passed was taken");
    const since = late["since"] as unknown[];
    report.stale = [late.type, late.status, late["decision"] === first.decision, since.length > 0];
  }
  report.actions += 1;
}

/** Answers with all events of the game, read page by page. */
async function events(seat: Seat, game: string): Promise<Schemas["Happening"][]> {
  const found: Schemas["Happening"][] = [];
  for (;;) {
    const query = { after: found.at(-1)?.seq ?? 0, limit: PAGE };
    const params = { path: { game_id: game }, query };
    const { items } = await sent(() => seat.GET("/api/v1/games/{game_id}/events", { params }));
    if (items.length === 0) return found;
    found.push(...items);
  }
}

/** Answers with all one's games, read one to a page. */
async function games(seat: Seat): Promise<string[]> {
  const found: string[] = [];
  let after: string | null | undefined;
  do {
    const query = after ? { limit: 1, after } : { limit: 1 };
    const page = await sent(() => seat.GET("/api/v1/games", { params: { query } }));
    found.push(...page.items.map((each) => each.id));
    after = page.next;
  } while (after !== null);
  return found;
}

/** Asks so often at most, until it is too often; answers with the seconds there are to wait then, 0 for none. */
async function hurried(seat: Seat, times: number): Promise<number> {
  for (let time = 0; time < times; time += 1) {
    const { error, response } = await seat.GET("/api/v1/me");
    if (response.status === 429) {
      check(error?.type === "/problems/rate-limited", String(error?.type));
      return Number(response.headers.get("Retry-After"));
    }
  }
  return 0;
}

const told = JSON.parse(readFileSync(0, "utf8")) as Told;
const seats = told.tokens.map((token) =>
  createClient<paths>({ baseUrl: told.url, headers: { Authorization: `Bearer ${token}` } }),
);
const [host] = seats as [Seat, ...Seat[]];
const report: Record<string, unknown> = {};
const mine: string[] = [];
for (const [name, people] of [["three", seats], ["solo", [host]]] as const) {
  const game = await opened([...people]);
  mine.push(game);
  const played = await play([...people], game);
  const numbers = (await events(host, game)).map((each) => each.seq);
  const paged = numbers.length === played.events && numbers.every((seq, index) => seq === index + 1);
  report[name] = { ...played, paged };
}
const listed = new Set(await games(host));
report["games"] = mine.every((each) => listed.has(each));
const params = { path: { game_id: told.others } };
const other = await sent(() => host.GET("/api/v1/games/{game_id}", { params }));
const types = new Set((await events(host, other.id)).map((each) => each.type));
report["unknown"] = [other.ruleset, [...types].sort()];
report["waited"] = await hurried(host, told.hurry);
process.stdout.write(JSON.stringify(report));
