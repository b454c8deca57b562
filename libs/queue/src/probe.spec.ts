import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, jest } from '@jest/globals';
import { testStores } from '@quire/testing';
import { postgresBackend } from './on-postgres/postgres-backend.js';
import { redisBackend } from './on-redis/redis-backend.js';
jest.setTimeout(40_000);
const logger = { warn: () => undefined, info: () => undefined };
async function line(url: string) {
  const to = new URL(url); const socks = new Set<net.Socket>(); let frozen = false; let port = 0; let server: net.Server;
  const up = () => new Promise<void>((done) => { server = net.createServer((a) => { const b = net.connect(Number(to.port), to.hostname);
    for (const s of [a, b]) { socks.add(s); s.on('error', () => undefined); s.on('close', () => { socks.delete(s); a.destroy(); b.destroy(); }); }
    a.on('data', (d) => { if (!frozen) b.write(d); }); b.on('data', (d) => { if (!frozen) a.write(d); }); });
    server.listen(port, '127.0.0.1', () => { port = (server.address() as net.AddressInfo).port; done(); }); });
  await up(); const u = new URL(url); u.port = String(port);
  return { url: u.href, up, freeze: (f: boolean) => { frozen = f; }, cut: () => { server.close(); for (const s of socks) s.destroy(); } };
}
const job = (id: string) => ({ name: 'w', id, data: {}, delayMs: 0, attempts: 1, backoffMs: 50, keepCompleted: 1, keepFailed: 1 });
const timed = async (p: Promise<unknown>) => { const s = Date.now(); const r = await Promise.race([p.then(() => 'ok', (e: Error) => 'ERR ' + e.message.slice(0, 80)), wait(9000).then(() => 'HANG')]); return `${r} ${Date.now() - s}ms`; };
it.each(['pg', 'redis'])('%s', async (k) => {
  const { databaseUrl, redisUrl } = testStores();
  const l = await line(k === 'pg' ? databaseUrl : redisUrl);
  const b = k === 'pg' ? postgresBackend({ databaseUrl: l.url, namespace: 'probe', logger }) : redisBackend({ redisUrl: l.url, namespace: 'probe', logger });
  const out: string[] = [];
  l.cut();
  out.push('dead at first use: ' + await timed(b.queue('a').addAll([job('j1')])));
  await wait(3000);
  out.push('later, still dead: ' + await timed(b.queue('a').addAll([job('j1')])));
  await l.up(); await wait(2500);
  out.push('back: ' + await timed(b.queue('a').addAll([job('j1')])));
  out.push('fresh queue: ' + await timed(b.queue('b').addAll([job('j1')])));
  l.freeze(true);
  out.push('frozen: ' + await timed(b.queue('b').addAll([job('j2')])));
  l.cut(); l.freeze(false);
  console.log(k, out);
  void b.close().catch(() => undefined); await wait(500); expect(1).toBe(1);
});
