import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SMTPServer } from 'smtp-server';
import { SmtpMailer } from './smtp-mailer.js';

const received: { to: string[]; raw: string }[] = [];
const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onData(stream, { envelope }, done) {
    void stream.toArray().then((chunks: Buffer[]) => {
      const to = envelope.rcptTo.map(({ address }) => address);
      received.push({ to, raw: Buffer.concat(chunks).toString() });
      done();
    });
  },
});
let mailer: SmtpMailer;

beforeAll(async () => {
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  mailer = new SmtpMailer(`smtp://127.0.0.1:${port}`, 'Site <site@site.example>');
});
afterAll(() => new Promise<void>((done) => server.close(done)));

const mail = { to: 'ann@site.example', subject: 'Hello', text: 'Text', html: '<p>Text</p>' };

describe('mail by SMTP', () => {
  it('has a text and an HTML part, and one recipient', async () => {
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
    { ...mail, to: 'ann@site.example, bob@site.example' },
    { ...mail, to: 'ann@site.example\r\nBcc: bob@site.example' },
    { ...mail, to: 'ann,bob@site.example' },
    { ...mail, to: 'Ann <ann@site.example>' },
    { ...mail, to: '' },
    { ...mail, subject: 'Hello\r\nBcc: bob@site.example' },
    { ...mail, subject: 'Hello\nX: y' },
  ])('is not sent when a value would become more than itself: %j', async (forged) => {
    const before = received.length;
    await expect(mailer.send(forged)).rejects.toThrow(/is not one/);
    expect(received).toHaveLength(before);
  });

  it('that the server does not take is an error', async () => {
    const nobody = new SmtpMailer('smtp://127.0.0.1:1', 'site@site.example');
    await expect(nobody.send(mail)).rejects.toThrow();
  });
});
