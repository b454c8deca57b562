/** A fake command line: `migrate`, `setup-link`, `echo …`, `fail`. */
import { appendFileSync } from 'node:fs';

const [command, ...rest] = process.argv.slice(2);
if (process.env.FAKE_LOG)
  appendFileSync(process.env.FAKE_LOG, `cms ${command} ${process.env.DATABASE_URL}\n`);
if (command === 'setup-link' && process.env.FAKE_SETUP_LINK) console.log(process.env.FAKE_SETUP_LINK);
if (command === 'echo') console.log(rest.join(' '));
if (command === 'fail') {
  console.error('No such tenant.');
  process.exit(3);
}
