import 'reflect-metadata';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Tenant } from '@quire/tenancy';
import { eventuallyPasses, openServiceTenant, type ServiceTenant } from '@quire/testing';
import { authEntities, mailWriters } from '../auth.module.js';
import { authTables } from '../migrations/index.js';
import { MailDelivery, type MailOutcome } from './mail-delivery.js';
import { MailQueue } from './mail-queue.js';
import type { MailKind } from './mail-request.js';
import { Mailer, type Mail } from './mailer.js';
import { missedMailsRunner } from './missed-mails.runner.js';

const origin = 'http://site.example';
const isUntouched = [{ attempts: 0, isRetried: false }];
/** A time far from that at which a sweep may take over. */
const overdueSeconds = 60;

let auth: ServiceTenant;
let sent: string[];
let outcomes: MailOutcome[];
let logged: { text: string; fields: object }[];
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  auth = await openServiceTenant('spec-of-mail-queue', 'auth', authTables, authEntities);
});
afterAll(() => auth.close());
beforeEach(() => {
  [sent, outcomes, logged] = [[], [], []];
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  await auth.databases
    .shared()
    .query('DELETE FROM pending_mails WHERE tenant_id = ANY($1)', [[auth.tenant.id, 'deleted-site']]);
});

class RecordingMailer extends Mailer {
  readonly isConfigured = true;
  async send({ to }: Mail): Promise<void> {
    // Long enough for another process to claim the mail in between, if it could.
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (to.startsWith('bounced')) throw Object.assign(new Error(to), { responseCode: 550 });
    sent.push(to);
  }
}

const log = (fields: object, text: string) => void logged.push({ fields, text });
const logger = { warn: log, error: log };

/** The parts of a process that sends mails: its queue, and the sweep once it is started. */
function openProcess() {
  const { databases, tenant, ctx } = auth;
  const write = (_: unknown, { email }: { email: string }) =>
    Promise.resolve({ to: email, subject: 'Subject', text: 'Text', html: 'HTML' });
  const writers = Object.fromEntries(
    Object.keys(mailWriters).map((kind) => [kind, write]),
  ) as unknown as typeof mailWriters;
  const onOutcome = (outcome: MailOutcome) => void outcomes.push(outcome);
  const delivery = new MailDelivery({ mailer: new RecordingMailer(), writers, logger, onOutcome });
  /** Keys of the databases that the queue reads. */
  const used: (string | null)[] = [];
  const sharedDatabase = ({ database }: Tenant) => {
    used.push(database);
    return databases.shared();
  };
  const queue = new MailQueue({ delivery, sharedDatabase, logger });
  const sweep = missedMailsRunner({
    databases: [databases.shared()],
    delivery,
    tenantDatabase: (id) => Promise.resolve(id === tenant.id ? ctx.db : undefined),
    logger,
  });
  stops.push(
    () => queue.stop(),
    () => sweep.stop(),
  );
  return { queue, sweep, used };
}

/** Inserts a mail that a process left when it ended. */
async function insertLeft(
  email: string,
  { minutesAgo = 1, attempts = 0, tenantId = auth.tenant.id, dueSecondsAgo = overdueSeconds } = {},
): Promise<void> {
  await auth.databases.shared().query(
    `INSERT INTO pending_mails (tenant_id, id, kind, email, origin, attempts, due_at, created_at)
     VALUES ($1, $2, 'invite', $2, $3, $4, now() - make_interval(secs => $5), now() - make_interval(mins => $6))`,
    [tenantId, email, origin, attempts, dueSecondsAgo, minutesAgo],
  );
}

const pending = (email: string) =>
  auth.databases.shared().query(
    `SELECT attempts, attempts > 0 AND due_at < now() + interval '1 minute' AS "isRetried"
     FROM pending_mails WHERE email = $1`,
    [email],
  );
const untilProcessed = (email: string) =>
  eventuallyPasses(
    () => pending(email),
    (rows) => expect(rows).toEqual([]),
  );

describe('MailQueue', () => {
  const add = (queue: MailQueue, kind: MailKind, email: string) =>
    auth.ctx.db.transaction((tx) => queue.add(tx, auth.ctx, { kind, email, origin }));

  it('sends a mail after the commit, without a sweep', async () => {
    const { queue } = openProcess();
    await add(queue, 'invite', 'ann@site.example');
    await untilProcessed('ann@site.example');
    expect([sent, outcomes]).toEqual([['ann@site.example'], ['sent']]);
  });

  it('sends the mails of a site that has moved from its new database', async () => {
    const { queue, used } = openProcess();
    await add(queue, 'invite', 'ann@site.example');
    await untilProcessed('ann@site.example');
    const moved = { ...auth.tenant, database: 'EU2' };
    const ctx = { ...auth.ctx, principal: { ...auth.ctx.principal, tenant: moved } };
    const mail = { kind: 'invite', email: 'bob@site.example', origin } as const;
    await auth.ctx.db.transaction((tx) => queue.add(tx, ctx, mail));
    await untilProcessed('bob@site.example');
    expect(used).toEqual([null, 'EU2']);
  });

  it('queues no mail of a transaction that fails', async () => {
    const { queue } = openProcess();
    const failing = auth.ctx.db.transaction(async (tx) => {
      await queue.add(tx, auth.ctx, { kind: 'invite', email: 'undone@site.example', origin });
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await pending('undone@site.example')).toEqual([]);
  });

  it('retries a mail that the server rejects', async () => {
    const { queue } = openProcess();
    await add(queue, 'invite', 'bounced@site.example');
    await eventuallyPasses(
      () => pending('bounced@site.example'),
      (rows) => expect(rows).toEqual([{ attempts: 1, isRetried: true }]),
    );
    expect(outcomes).toEqual(['retried']);
  });
});

describe('missedMailsRunner', () => {
  it('sends each mail once when two processes sweep', async () => {
    const emails = Array.from({ length: 12 }, (_, index) => `left${index}@site.example`);
    for (const email of emails) await insertLeft(email);
    for (const { sweep } of [openProcess(), openProcess()]) sweep.start();
    for (const email of emails) await untilProcessed(email);
    expect([...sent].sort()).toEqual([...emails].sort());
  });

  it('leaves a mail to the process that queued it at first', async () => {
    await insertLeft('recent@site.example', { dueSecondsAgo: 0 });
    await insertLeft('left@site.example');
    openProcess().sweep.start();
    await untilProcessed('left@site.example');
    expect(await pending('recent@site.example')).toEqual(isUntouched);
  });

  it('logs and counts a mail that expired', async () => {
    await insertLeft('expired@site.example', { minutesAgo: 61 });
    openProcess().sweep.start();
    await untilProcessed('expired@site.example');
    expect([sent, outcomes]).toEqual([[], ['expired']]);
    expect(logged).toMatchObject([
      { text: 'mail expired: it was not sent within an hour', fields: { tenant: auth.tenant.id } },
    ]);
  });

  it('gives up a mail after its third attempt', async () => {
    await insertLeft('bounced@site.example', { attempts: 2 });
    openProcess().sweep.start();
    await untilProcessed('bounced@site.example');
    expect(logged.map(({ text }) => text)).toEqual(['mail delivery failed: giving up']);
    expect(JSON.stringify(logged)).not.toContain('bounced@');
  });

  it('deletes the mails of a deleted site', async () => {
    await insertLeft('gone@site.example', { tenantId: 'deleted-site' });
    openProcess().sweep.start();
    await untilProcessed('gone@site.example');
    expect([sent, outcomes]).toEqual([[], []]);
  });
});
