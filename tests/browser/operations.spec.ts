import { beforeAll, expect, it } from '@jest/globals';
import { eventuallyPasses, runCommand } from '@quire/testing';
import axe from 'axe-core';
import { useBrowserSessions, type BrowserSession } from './support.js';

const { site, openSession } = useBrowserSessions();
const tokens = { viewer: '', operator: '' };
const queue = 'transfer';

beforeAll(async () => {
  for (const role of ['viewer', 'operator'] as const) {
    const args = ['operator', 'token', 'create', '--name', `${role} of ${site.tenant}`, '--role', role];
    tokens[role] = (await runCommand(site, args)).stdout.trim();
  }
});

/** A browser at the operations port, signed in. */
async function openOperations(role: 'viewer' | 'operator') {
  const host = { value: new URL(site.system.opsOrigin).host };
  const session = await openSession({}, Object.create(site, { host }) as typeof site);
  await session.goTo('/ops/queues');
  await session.waitForPath('/ops/login');
  expect(await violations(session)).toEqual([]);
  await session.fill('Operator token', tokens[role]);
  await session.press('Sign in');
  await session.waitForPath('/ops');
  await session.heading('Overview').waitFor();
  return session;
}

/** The axe violations of the page. */
async function violations({ page }: BrowserSession): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate<axe.AxeResults>('axe.run()');
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** The button of the menu of the queue in the dashboard. A queue with jobs has further buttons. */
const menuOf = ({ page }: BrowserSession) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: queue }) })
    .locator('button[aria-haspopup="menu"]');

const choose = async (session: BrowserSession, item: string) => {
  await menuOf(session).click();
  await session.page.getByRole('menuitem', { name: item }).click();
};

/** Whether the queue is paused. */
async function isPaused(): Promise<boolean | undefined> {
  const listed = JSON.parse((await runCommand(site, ['queue', 'list', '--json'])).stdout) as {
    queue: string;
    isPaused: boolean;
  }[];
  return listed.find((each) => each.queue === queue)?.isPaused;
}

it('shows a viewer the overview, and the queues without changes', async () => {
  const session = await openOperations('viewer');
  expect(await violations(session)).toEqual([]);
  await session.page.getByRole('link', { name: 'Queues' }).click();
  await session.waitForPath('/ops/queues');
  await session.page.getByRole('main').getByRole('link', { name: queue }).waitFor();
  expect(await menuOf(session).count()).toBe(0);
  await session.page.getByRole('main').getByRole('link', { name: queue }).click();
  await session.waitForPath(`/ops/queues/queue/${queue}`);
  await session.page.getByRole('link', { name: 'Latest' }).waitFor();
});

it('lets an operator pause a queue and resume it, and rejects the deletion of its jobs', async () => {
  const session = await openOperations('operator');
  await session.goTo('/ops/queues');
  await choose(session, 'Pause');
  await session.press('Confirm');
  await eventuallyPasses(isPaused, (paused) => expect(paused).toBe(true));
  await session.page.reload();
  await choose(session, 'Resume');
  await session.press('Confirm');
  await eventuallyPasses(isPaused, (paused) => expect(paused).toBe(false));
  await session.page.reload();
  const refused = session.page.waitForResponse((response) => response.url().endsWith('/empty'));
  await choose(session, 'Empty');
  await session.press('Confirm');
  expect((await refused).status()).toBe(403);
  await session.page.getByText('The dashboard does not allow this change').waitFor();
});
