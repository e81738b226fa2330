// Uses the types that openapi-typescript generates from the description, by openapi-fetch: what it sends and reads must have
// these types (tsc), and the server must answer it (node). ./typescript_client.py runs it.
//
//     node smoke.js URL TEXT
import createClient from "openapi-fetch";
import type { Readable } from "openapi-typescript-helpers";
import type { components, paths } from "./schema";

declare const process: { argv: string[] };
const [url, text] = process.argv.slice(2) as [string, string];
const client = createClient<paths>({ baseUrl: url });
let calls = 0;

/** The answer, which must have this status. */
async function expect<T>(status: number, call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call;
  if (response.status !== status) throw new Error(`${response.url}: ${response.status} ${JSON.stringify(error)}`);
  calls += 1;
  return data as T;
}

function check(condition: boolean, what: unknown): void {
  if (!condition) throw new Error(JSON.stringify(what));
}

const letters = { collection: "letters" };
const one = { params: { path: { ...letters, id: "a" } } };

await expect(201, client.PUT("/v1/collections/{collection}", { params: { path: letters }, body: {} }));
const stored = await expect(
  201,
  client.PUT("/v1/collections/{collection}/documents/{id}", { ...one, body: { text, title: "Fox" } }),
);
check(stored.id === "a", stored);
const document = await expect(200, client.GET("/v1/collections/{collection}/documents/{id}", one));
check(document.title === "Fox" && document.text === text, document);

const found = await expect(
  200,
  client.POST("/v1/collections/{collection}/similar", { params: { path: letters }, body: { text } }),
);
check(found.total === 1 && found.results[0]?.id === "a", found);

const asked = {
  params: { header: { "Idempotency-Key": "8e03978e-40d5-43dd-bc93-6894a57f9324" } },
  body: { collections: ["letters"], text },
};
const made = await expect(201, client.POST("/v1/checks", asked));
if (!("verdict" in made)) throw new Error("201 answers a check that is done");  // 202 one that waits
const done: Readable<components["schemas"]["Check"]> = made;  // openapi-fetch reads a tuple as an array
check(done.verdict === "refuse", done);
const again = await expect(201, client.POST("/v1/checks", asked));
check(again.id === made.id, again);
const checks = await expect(200, client.GET("/v1/checks", { params: { query: { verdict: "refuse", limit: 10, total: true } } }));
check(checks.total === 1 && checks.next === null, checks);

const task = await expect(
  202,
  client.POST("/v1/collections/{collection}/pairs", { params: { path: letters }, body: { bound: 1 } }),
);
check((await expect(200, client.GET("/v1/tasks/{task}", { params: { path: { task: task.id } } }))).id === task.id, task);

const { error } = await client.GET("/v1/collections/{collection}", { params: { path: { collection: "nothing" } } });
check(error?.code === "not_found", error);

// Calls that the description does not have do not compile.
// @ts-expect-error
void (() => client.GET("/v1/nothing"));
// @ts-expect-error
void (() => client.POST("/v1/checks", { body: { collections: "letters", text } }));

const listed = await expect(200, client.GET("/v1/collections", { params: { query: { limit: 1 } } }));
check(listed.total === 2 && listed.next !== null, listed);
const deleted = await expect(200, client.DELETE("/v1/collections/{collection}/documents/{id}", one));
check(deleted.deleted, deleted);

console.log(`${calls} calls and their answers fit the generated types`);
