import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { eventuallyPasses, openSite, runCommand, type Client, type Site } from '@quire/testing';

let site: Site;
let admin: Client;
const opened: Site[] = [];

beforeEach(async () => {
  site = await openSite();
  admin = await site.signedIn('admin');
});
afterEach(() => void opened.push(site));
afterAll(() => Promise.all(opened.map((one) => one.close())));

/** A process of its own loads all services, which takes long on a busy machine. */
const processTimeoutMs = 120_000;

const cms = (...args: string[]) => runCommand(site, ['audit', ...args, '--tenant', site.tenant]);
const domain = (name: string) =>
  admin.post('/admin/allowed-domains', { domain: `${name}.example`, defaultRole: 10 });
const chained = () =>
  site.sql<{ id: string; action: string }>(
    'SELECT a.id, a.action FROM audit_chain c JOIN audit_log a ON a.id = c.record_id ORDER BY c.seq',
  );
/** Waits until the log holds so many records. */
const settle = (count: number) =>
  eventuallyPasses(chained, (records) => expect(records).toHaveLength(count), 30_000);

interface Line {
  tenant: string;
  id: string;
  action: string;
  createdAt: string;
  chain: { seq: number; previousHash: string; hash: string };
}
const linesOf = (output: string) =>
  output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);

describe('cms audit verify', () => {
  it(
    'holds for a log as it was written, and finds a record that SQL changed',
    async () => {
      for (const name of ['one', 'two', 'three']) expect((await domain(name)).status).toBe(201);
      expect(await cms('verify')).toEqual({
        code: 0,
        stdout: 'The audit log holds: 3 record(s), 0 daily head(s), 1 tenant(s)\n',
        stderr: '',
      });
      await site.sql(`UPDATE audit_log SET actor_id = 'somebody else' WHERE target_id = 'two.example'`);
      const args = ['audit', 'verify', '--tenant', site.tenant];
      const { code, stdout, stderr } = await runCommand(site, args, { isProcess: true });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        new RegExp(`^The audit log of ${site.tenant} is broken: record 2 \\(\\w{26}\\) was changed\\n$`),
      );
    },
    processTimeoutMs,
  );

  it('finds a record that SQL deleted, with its link or without', async () => {
    for (const name of ['one', 'two', 'three']) await domain(name);
    await site.sql(`DELETE FROM audit_log WHERE target_id = 'two.example'`);
    expect((await cms('verify')).stderr).toMatch(/: record 2 \(\w{26}\) is missing\n$/);
    await site.sql('DELETE FROM audit_chain WHERE seq = 2');
    expect((await cms('verify')).stderr).toMatch(/: records 2 to 2 are missing\n$/);
  });
});

describe('the chain of an audit log', () => {
  it('is unbroken after 20 writers at once, of this service and of others', async () => {
    const writers = Array.from({ length: 20 }, (_, number) =>
      number % 2 === 0
        ? domain(`writer${number}`)
        : admin.post('/redirects', { source: `/from${number}`, destination: '/to' }),
    );
    for (const { status } of await Promise.all(writers)) expect(status).toBe(201);
    await settle(20);
    expect((await cms('verify')).stdout).toMatch(/holds: 20 record/);
  });

  it('takes an event of another service once, however often its message comes', async () => {
    await admin.post('/redirects', { source: '/from', destination: '/to' });
    await settle(1);
    const [record] = await chained();
    const message = {
      tenantId: site.tenant,
      eventId: record?.id,
      occurredAt: new Date().toISOString(),
      action: 'redirect.created',
      actorKind: 'system',
    };
    // As when a worker died between the append and the end of its job, and the job came back under another id.
    const send = (id: string, eventId = message.eventId) =>
      site.sql('INSERT INTO cms_content.outbox (id, job, message) VALUES ($1, $2, $3)', [
        id,
        'record-audit-event',
        JSON.stringify({ ...message, eventId }),
      ]);
    await send(`${site.tenant}-again`);
    await send(`${site.tenant}-marker`, `${site.tenant}-marker`);
    await settle(2);
    expect((await chained()).map(({ id }) => id)).toEqual([record?.id, `${site.tenant}-marker`]);
    expect((await cms('verify')).code).toBe(0);
  });
});

describe('cms audit export', () => {
  it('prints records whose hashes anybody can compute', async () => {
    for (const name of ['one', 'two']) await domain(name);
    const lines = linesOf((await cms('export')).stdout);
    expect(lines.map(({ tenant, action, chain }) => [tenant, action, chain.seq])).toEqual([
      [site.tenant, 'allowed-domain.created', 1],
      [site.tenant, 'allowed-domain.created', 2],
    ]);
    let before = '00'.repeat(32);
    for (const { tenant: _, chain, ...record } of lines) {
      const digest = createHash('sha256').update(canonical(record)).digest();
      const hash = createHash('sha256').update(Buffer.from(chain.previousHash, 'hex')).update(digest);
      expect([chain.previousHash, chain.hash]).toEqual([before, hash.digest('hex')]);
      before = chain.hash;
    }
  });

  it('begins at a time, and refuses what is none', async () => {
    await domain('one');
    const [first] = linesOf((await cms('export')).stdout);
    await domain('two');
    const since = new Date(Date.parse(first?.createdAt ?? '') + 1).toISOString();
    const lines = linesOf((await cms('export', '--since', since)).stdout);
    expect(lines.map(({ chain }) => chain.seq)).toEqual([2]);
    expect(await cms('export', '--since', 'yesterday')).toEqual({
      code: 1,
      stdout: '',
      stderr: '--since must be an ISO 8601 time with Z or an offset\n',
    });
  });

  it(
    'follows what happens until it is stopped',
    async () => {
      await domain('before');
      const args = ['audit', 'export', '--follow', '--tenant', site.tenant];
      const following = runCommand(site, args, { isProcess: true, until: '"seq":3' });
      for (const name of ['one', 'two']) await domain(name);
      const { code, stdout } = await following;
      expect(linesOf(stdout).map(({ chain }) => chain.seq)).toEqual([1, 2, 3]);
      expect(code).toBe(0);
    },
    processTimeoutMs,
  );
});

/** RFC 8785, as far as records need it. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join()}}`;
}
