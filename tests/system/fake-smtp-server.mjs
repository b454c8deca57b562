/** A mail server that stores received mails, for the black-box suites. */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

const timeoutMs = 10_000;

/**
 * Rejects recipients that begin with `refused`, and defers those that begin with `busy` once.
 * @returns its URL, and a function that waits up to 10 seconds for a number of mails to an address.
 */
export async function startFakeSmtpServer() {
  const mails = new Map();
  const deferred = new Set();
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onRcptTo({ address }, session, done) {
      if (address.startsWith('refused')) return done(Object.assign(new Error('No'), { responseCode: 550 }));
      if (address.startsWith('busy') && !deferred.has(address)) {
        deferred.add(address);
        return done(Object.assign(new Error('Later'), { responseCode: 451 }));
      }
      done();
    },
    async onData(stream, { envelope }, done) {
      const raw = Buffer.concat(await stream.toArray()).toString('utf8');
      for (const { address } of envelope.rcptTo) mails.set(address, [...(mails.get(address) ?? []), raw]);
      done();
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return {
    url: `smtp://127.0.0.1:${listening.address().port}`,
    mailsTo: async (to, count) => {
      const deadline = Date.now() + timeoutMs;
      while ((mails.get(to)?.length ?? 0) < count && Date.now() < deadline) await wait(20);
      return { mails: mails.get(to) ?? [] };
    },
  };
}
