import 'reflect-metadata';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Tenant } from '@quire/tenancy';
import { eventuallyPasses } from '@quire/testing';
import { SMTPServer } from 'smtp-server';
import { AppContainer } from '../app-container.js';
import { openInstallation, type TestInstallation } from '../installation.fixture.js';
import { databasesOf } from '../services.js';
import { startAuth } from './auth.js';

const received: string[] = [];
const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onData(stream, { envelope }, done) {
    stream.resume().on('end', () => {
      received.push(...envelope.rcptTo.map(({ address }) => address));
      done();
    });
  },
});
let test: TestInstallation;
let smtpUrl: string;

beforeAll(async () => {
  test = await openInstallation('mails');
  for (const id of ['one', 'two'])
    await test.adminService.tenants.create({ id, database: null }, [`${id}.example`]);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  smtpUrl = `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await test.close();
  await new Promise<void>((done) => server.close(done));
});

const one = { id: 'one', database: null };
const databases = () => databasesOf(test.installation, 'auth');

/** Leaves a mail in the table as a process that was killed before it sent the mail. */
async function leaveMail(tenantId: string, email: string): Promise<void> {
  const sql = (await databases()).shared();
  await sql.query(
    `INSERT INTO pending_mails (tenant_id, id, kind, email, origin, due_at)
     VALUES ($1, $2, 'signup', $2, 'http://site.example', now() - interval '10 seconds')`,
    [tenantId, email],
  );
}

/** Runs work while the target auth runs with a mail server. @param work gets the tenants that it has opened so far */
async function whileAuthRuns(work: (opened: string[]) => Promise<void>): Promise<void> {
  const environment = { ...test.environment, CMS_SMTP_URL: smtpUrl, CMS_MAIL_FROM: 'site@site.example' };
  const container = new AppContainer(environment, { defaultLocale: 'en' }, ['auth']);
  const opened: string[] = [];
  const observed = await databasesOf(container, 'auth');
  const open = observed.tenant.bind(observed);
  observed.tenant = (tenant: Tenant) => {
    opened.push(tenant.id);
    return open(tenant);
  };
  try {
    await startAuth(container, observed);
    await work(opened);
  } finally {
    await container.lifecycle.stop();
  }
}

describe('the start of auth with a mail server', () => {
  it('opens no site, and sends the mails that another process left', async () => {
    await whileAuthRuns(async (opened) => {
      expect(opened).toEqual([]);
      const sql = (await databases()).tenant(one);
      await sql.query("INSERT INTO allowed_domains (domain, default_role) VALUES ('site.example', 20)");
      await leaveMail('one', 'ann@site.example');
      await eventuallyPasses(
        () => Promise.resolve(received),
        (mails) => expect(mails).toEqual(['ann@site.example']),
      );
      expect(opened).toEqual(['one']);
    });
  });
});

describe('pending mails of a site', () => {
  it('are counted by `cms backlog`, in all or of one site', async () => {
    await leaveMail('one', 'bob@site.example');
    await leaveMail('two', 'cat@site.example');
    const row = async (values: object) =>
      (await test.run('backlog', { work: 'pending_mails', ...values }))
        .split('\n')
        .at(-1)
        ?.replace(/ +/g, ' ');
    expect(await row({})).toMatch(/^pending_mails 2 2 0 \d+s 0$/);
    expect(await row({ tenant: 'one' })).toMatch(/^pending_mails 1 1 0 \d+s 0$/);
    await expect(row({ tenant: 'unknown' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are a metric', async () => {
    const running = await test.start(['auth'], undefined, { CMS_INTERNAL_SECRET: ['x'.repeat(64)] });
    const response = await fetch(`http://127.0.0.1:${running.opsPort}/metrics`);
    expect(await response.text()).toContain('quire_backlog_rows{work="pending_mails"} 2');
    await running.stop();
  });

  it('are deleted with the site, and those of others stay', async () => {
    await test.adminService.deletions.purge('one');
    const sql = (await databases()).shared();
    expect(await sql.query('SELECT tenant_id AS id FROM pending_mails')).toEqual([{ id: 'two' }]);
  });
});
