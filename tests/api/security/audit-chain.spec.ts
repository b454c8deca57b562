import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { eventuallyPasses, runCommand, useSite, type Client } from '@quire/testing';

const site = useSite({ lifetime: 'test' });
let admin: Client;

beforeEach(async () => {
  admin = await site.signedIn('admin');
});

/** A separate process loads all services, which takes long on a busy machine. */

const cms = (...args: string[]) => runCommand(site, ['audit', ...args, '--tenant', site.tenant]);
const domain = (name: string) =>
  admin.post('/admin/allowed-domains', { domain: `${name}.example`, defaultRole: 10 });
const chained = () =>
  site.sql<{ id: string; action: string }>(
    'SELECT a.id, a.action FROM audit_chain c JOIN audit_log a ON a.id = c.record_id ORDER BY c.seq',
  );
/** Waits until the log has this many records. */
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
  it('accepts an unchanged log and reports a record changed by SQL', async () => {
    for (const name of ['one', 'two', 'three']) expect((await domain(name)).status).toBe(201);
    expect(await cms('verify')).toEqual({
      code: 0,
      stdout: 'The audit log holds: 3 record(s), 0 daily head(s), 1 tenant(s)\n',
      stderr: '',
    });
    await site.sql(`UPDATE audit_log SET actor_id = 'another user' WHERE target_id = 'two.example'`);
    const args = ['audit', 'verify', '--tenant', site.tenant];
    const { code, stdout, stderr } = await runCommand(site, args, { isProcess: true });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      new RegExp(`^The audit log of ${site.tenant} is broken: record 2 \\(\\w{26}\\) was changed\\n$`),
    );
  });

  it('reports a record deleted by SQL, with or without its link', async () => {
    for (const name of ['one', 'two', 'three']) await domain(name);
    await site.sql(`DELETE FROM audit_log WHERE target_id = 'two.example'`);
    expect((await cms('verify')).stderr).toMatch(/: record 2 \(\w{26}\) is missing\n$/);
    await site.sql('DELETE FROM audit_chain WHERE seq = 2');
    expect((await cms('verify')).stderr).toMatch(/: records 2 to 2 are missing\n$/);
  });
});

describe('chain of an audit log', () => {
  it('is unbroken after 20 concurrent writers of several services', async () => {
    const writers = Array.from({ length: 20 }, (_, number) =>
      number % 2 === 0
        ? domain(`writer${number}`)
        : admin.post('/redirects', { source: `/from${number}`, destination: '/to' }),
    );
    for (const { status } of await Promise.all(writers)) expect(status).toBe(201);
    await settle(20);
    expect((await cms('verify')).stdout).toMatch(/holds: 20 record/);
  });

  it('records an event of another service once for repeated messages', async () => {
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
    // Simulates a worker that died between the append and the end of its job: the job runs again under another id.
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
  it('prints records with reproducible hashes', async () => {
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

  it('starts at --since and rejects an invalid time', async () => {
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

  it('with --follow prints new records until it is stopped', async () => {
    await domain('before');
    const args = ['audit', 'export', '--follow', '--tenant', site.tenant];
    const following = runCommand(site, args, { isProcess: true, until: '"seq":3' });
    for (const name of ['one', 'two']) await domain(name);
    const { code, stdout } = await following;
    expect(linesOf(stdout).map(({ chain }) => chain.seq)).toEqual([1, 2, 3]);
    expect(code).toBe(0);
  });
});

/** RFC 8785, as far as records need it. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join()}}`;
}
