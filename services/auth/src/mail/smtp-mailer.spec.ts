import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SMTPServer } from 'smtp-server';
import { SmtpMailer } from './smtp-mailer.js';

const received: { to: string[]; raw: string; isEncrypted: boolean }[] = [];
const serverOf = (...disabledCommands: string[]) =>
  new SMTPServer({
    disabledCommands,
    onData(stream, { envelope, secure }, done) {
      void stream.toArray().then((chunks: Buffer[]) => {
        const to = envelope.rcptTo.map(({ address }) => address);
        received.push({ to, raw: Buffer.concat(chunks).toString(), isEncrypted: secure });
        done();
      });
    },
  });
const plain = serverOf('AUTH', 'STARTTLS');
const encrypting = serverOf('AUTH');
const ports = { plain: 0, encrypting: 0 };
let mailer: SmtpMailer;

beforeAll(async () => {
  for (const [name, server] of Object.entries({ plain, encrypting })) {
    const listening = server.listen(0, '0.0.0.0');
    await once(listening, 'listening');
    ports[name as keyof typeof ports] = (listening.address() as AddressInfo).port;
  }
  mailer = new SmtpMailer(`smtp://127.0.0.1:${ports.plain}`, 'Site <site@site.example>');
});
afterAll(async () => {
  for (const server of [plain, encrypting]) await new Promise<void>((done) => server.close(done));
});

const mail = { to: 'ann@site.example', subject: 'Hello', text: 'Text', html: '<p>Text</p>' };

describe('SmtpMailer', () => {
  it('sends a text and an HTML part to one recipient', async () => {
    await mailer.send(mail);
    const [sent] = received;
    expect(sent?.to).toEqual(['ann@site.example']);
    for (const line of [
      'From: Site <site@site.example>',
      'To: ann@site.example',
      'Subject: Hello',
      'Content-Type: text/plain',
      'Content-Type: text/html',
      'Auto-Submitted: auto-generated',
    ])
      expect(sent?.raw).toContain(`${line}`);
  });

  it.each([
    [{ address: 'own@acme.example' }, 'From: own@acme.example'],
    [{ name: 'Acme, Inc.', address: 'own@acme.example' }, 'From: "Acme, Inc." <own@acme.example>'],
  ])('sends a mail from its own sender %j', async (from, line) => {
    await mailer.send({ ...mail, from });
    expect(received.at(-1)?.raw).toContain(`${line}\r\n`);
  });

  it.each([
    { ...mail, to: 'ann@site.example, bob@site.example' },
    { ...mail, to: 'ann@site.example\r\nBcc: bob@site.example' },
    { ...mail, to: 'ann,bob@site.example' },
    { ...mail, to: 'Ann <ann@site.example>' },
    { ...mail, to: '' },
    { ...mail, subject: 'Hello\r\nBcc: bob@site.example' },
    { ...mail, subject: 'Hello\nX: y' },
  ])('rejects header injection: %j', async (forged) => {
    const before = received.length;
    await expect(mailer.send(forged)).rejects.toThrow(/is not one/);
    expect(received).toHaveLength(before);
  });

  it.each(['', '?requireTLS=false', '?ignoreTLS=true', '?opportunisticTLS=true'])(
    'sends nothing to a remote server without TLS: %s',
    async (query) => {
      const before = received.length;
      const remote = new SmtpMailer(`smtp://0.0.0.0:${ports.plain}${query}`, 'site@site.example');
      await expect(remote.send(mail)).rejects.toThrow();
      expect(received).toHaveLength(before);
    },
  );

  it.each(['smtp://0.0.0.0:PORT?tls=none', 'smtp://localhost:PORT', 'smtp://127.0.0.1:PORT'])(
    'sends without TLS to %s',
    async (url) => {
      await new SmtpMailer(url.replace('PORT', String(ports.plain)), 'site@site.example').send(mail);
      expect(received.at(-1)?.isEncrypted).toBe(false);
    },
  );

  it('encrypts mails to a remote server and verifies its certificate', async () => {
    const url = `smtp://0.0.0.0:${ports.encrypting}`;
    await expect(new SmtpMailer(url, 'site@site.example').send(mail)).rejects.toThrow(/certificate/);
    await new SmtpMailer(`${url}?tls.rejectUnauthorized=false`, 'site@site.example').send(mail);
    expect(received.at(-1)?.isEncrypted).toBe(true);
  });

  it('fails when the server is unreachable', async () => {
    const unreachable = new SmtpMailer('smtp://127.0.0.1:1', 'site@site.example');
    await expect(unreachable.send(mail)).rejects.toThrow();
  });
});
