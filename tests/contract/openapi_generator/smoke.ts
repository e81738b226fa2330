// Uses the client that OpenAPI Generator makes for typescript-fetch: calls are answered, and answers are read.
//
//     node smoke.js URL TEXT
import * as akin from "./generated";

declare const process: { argv: string[] };
const [url, text] = process.argv.slice(2) as [string, string];
const configuration = new akin.Configuration({ basePath: url });
const collections = new akin.CollectionsApi(configuration);
const documents = new akin.DocumentsApi(configuration);
const search = new akin.SearchApi(configuration);
const checks = new akin.ChecksApi(configuration);
const tasks = new akin.TasksApi(configuration);
let calls = 0;

/** The answer, of which this must hold. */
async function expect<T>(call: Promise<T>, holds: (answer: T) => unknown): Promise<T> {
  const answer = await call;
  if (!holds(answer)) throw new Error(JSON.stringify(answer));
  calls += 1;
  return answer;
}

async function main(): Promise<void> {
  const collection = "letters";
  await expect(collections.putCollection({ collection, collectionSettings: {} }), (made) => made.name === collection);
  await expect(collections.listCollections(), (list) => "documents" in list.collections[0]!);
  const newDocument = { text, title: "Fox", metadata: { author: "N. N." } };
  await expect(documents.putDocument({ collection, id: "a", newDocument }), (stored) => stored.id === "a");
  await expect(documents.getDocument({ collection, id: "a" }), (one) => one.title === "Fox" && one.text === text);
  await expect(documents.patchDocument({ collection, id: "a", documentPatch: { title: "Grapes" } }), (one) => one.title === "Grapes");
  await expect(documents.listDocuments({ collection }), (list) => list.documents.length === 1);
  await expect(search.findSimilar({ collection, query: { text } }), (found) => found.results[0]!.passages![0]!.a[0] === 0);
  await expect(search.findSimilarAcross({ queryAcross: { text, collections: new Set([collection]) } }), (found) => found.results.length === 1);
  await expect(search.compareTexts({ twoTexts: { a: text, b: text } }), (compared) => compared.resemblance === 1);
  const check = (await checks.checkText({ newCheck: { collections: [collection], text } })) as akin.Check;
  await expect(checks.getCheck({ check: check.id }), (read) => read.verdict === "refuse" && read.reasons[0]!.kind === "share");
  await expect(checks.listChecks(), (list) => list.checks.length === 1);
  const task = await expect(tasks.findPairs({ collection, pairsConditions: { bound: 1 } }), (begun) => begun.parameters.bound === 1);
  await expect(tasks.getTask({ task: task.id }), (read) => read.type === "pairs");
  await expect(documents.deleteDocument({ collection, id: "a" }), (gone) => gone.deleted);
  console.log(`${calls} calls and their answers fit the client for typescript-fetch`);
}

main().catch((error) => {
  console.error(error, error.response?.status);
  (process as unknown as { exitCode: number }).exitCode = 1;
});
