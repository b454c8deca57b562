import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@quire/testing';
import { SMTPServer } from 'smtp-server';
import { useConfigTestEnvironment } from '../support.js';

/** Recipients of the mails that a server without TLS received. */
const received: string[] = [];
const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  onData(stream, { envelope }, done) {
    received.push(...envelope.rcptTo.map(({ address }) => address));
    stream.resume().once('end', () => done());
  },
});
const testEnvironment = useConfigTestEnvironment();
let port: number;

beforeAll(async () => {
  const listening = server.listen(0, '0.0.0.0');
  await once(listening, 'listening');
  ({ port } = listening.address() as AddressInfo);
});
afterAll(async () => {
  await new Promise<void>((done) => server.close(done));
});

/** Sends an invitation on an installation with this mail server. @returns whether the server received it */
async function inviteBy(CMS_SMTP_URL: string, email: string, withinMs?: number): Promise<boolean> {
  const environment = { CMS_SMTP_URL, CMS_MAIL_FROM: 'site@site.example' };
  const origin = await testEnvironment.start({ environment });
  const site = await testEnvironment.newSite();
  const admin = await testEnvironment.client(origin, site, 'admin');
  expect((await admin.post('/auth/invite', { email })).status).toBe(200);
  return eventually(() => Promise.resolve(received.includes(email)), Boolean, withinMs);
}

describe('mail server without TLS', () => {
  it('receives no mail by default', async () => {
    expect(await inviteBy(`smtp://0.0.0.0:${port}`, 'ann@x.example', 3_000)).toBe(false);
    await testEnvironment.stopAllExcept();
  });

  it('receives mail with tls=none, or on this machine', async () => {
    expect(await inviteBy(`smtp://0.0.0.0:${port}?tls=none`, 'bob@x.example')).toBe(true);
    await testEnvironment.stopAllExcept();
    expect(await inviteBy(`smtp://127.0.0.1:${port}`, 'eve@x.example')).toBe(true);
    await testEnvironment.stopAllExcept();
  });
});
