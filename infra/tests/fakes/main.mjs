/** A fake services/standalone that speaks the supervisor's protocol. FAKE_* variables make it misbehave. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { appendFileSync } from 'node:fs';

const targets = process.argv[3];
const note = (text) => process.env.FAKE_LOG && appendFileSync(process.env.FAKE_LOG, `${text}\n`);

note(
  `start ${targets} ${process.pid} ${process.env.PORT} ${process.env.DATABASE_URL} ${process.env.CMS_INTERNAL_SECRET}`,
);
if (process.env.FAKE_CRASH === targets) process.exit(7);
const failure =
  process.env.FAKE_FAILED === targets
    ? 'CMS_MAIL_FROM: is no address'
    : process.argv.includes('--migrate') && process.env.FAKE_MIGRATION === 'fails'
      ? 'DATABASE_URL: no server answers at 127.0.0.1:1'
      : undefined;
if (failure !== undefined) {
  process.send({ type: 'failed', message: failure }, () => process.exit(1));
} else {
  if (process.argv.includes('--migrate')) {
    note(`migrate ${targets}`);
    process.send({ type: 'migrated' });
  }
  if (process.argv.includes('--wait')) {
    await once(process, 'message');
    note(`go on ${targets}`);
  }
  const stop = (why) => {
    if (process.env.FAKE_HANG) return;
    const end = () => {
      note(`stop ${targets} ${why}`);
      process.exit(0);
    };
    setTimeout(end, Number(process.env.FAKE_STOP_MS ?? 0));
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('disconnect', () => stop('disconnect'));
  const server = createServer((request, response) => response.end(`${process.pid}`));
  server.listen(Number(process.env.PORT), () => process.send({ type: 'ready', port: server.address().port }));
}
