import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { listProcesses } from '@quire/tenancy';
import { eventually } from '@quire/testing';
import { AppContainer } from './app-container.js';
import { startHeartbeat } from './heartbeat.js';
import { openInstallation, type TestInstallation } from './installation.fixture.js';
import { version } from './version.js';

let test: TestInstallation;
beforeAll(async () => {
  test = await openInstallation('heartbeat');
});
afterAll(() => test.close());

const processes = async () => listProcesses(await test.installation.registryTables());

describe('the heartbeat of a process', () => {
  it('records it in the registry until it stops, whatever its targets', async () => {
    const running = await Promise.all([test.start(['auth']), test.start(['admin'])]);
    const recorded = await eventually(processes, ({ length }) => length === 2);
    expect(recorded.map(({ targets }) => targets.join()).sort()).toEqual(['admin', 'auth']);
    for (const each of recorded) expect(each).toMatchObject({ pid: process.pid, version });
    await Promise.all(running.map((each) => each.stop()));
    expect(await processes()).toEqual([]);
  });

  it('leaves a process ready whose database does not respond', async () => {
    const environment = { ...test.environment, DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    const container = new AppContainer(environment, { defaultLocale: 'en' }, ['admin']);
    const warn = jest.spyOn(container.logger, 'warn');
    startHeartbeat(container);
    await eventually(() => Promise.resolve(warn.mock.calls.length > 0));
    expect(warn.mock.calls).toEqual([[expect.anything(), 'process not recorded in the registry']]);
    expect(await container.health.readiness()).toEqual({ status: 'ready', dependencies: {} });
    await container.lifecycle.stop();
    expect(warn).toHaveBeenCalledTimes(1);
  });
});
