/** Starts the embedded database of CMS_DATA_DIR, prints its address as JSON, and keeps it until SIGTERM. */
import { startEmbeddedPostgres } from '../../dist/postgres/embedded-postgres.js';
import { toOneLine } from '../../prepare/user-facing-error.mjs';

try {
  const database = await startEmbeddedPostgres({
    dataDir: process.env.CMS_DATA_DIR,
    log: (line) => console.error(line),
  });
  console.log(JSON.stringify({ url: database.url, adopted: database.adopted }));
  const alive = setInterval(() => {}, 1_000);
  process.once('SIGTERM', async () => {
    clearInterval(alive);
    await database.stop();
  });
} catch (error) {
  console.error(toOneLine(error));
  process.exitCode = 1;
}
