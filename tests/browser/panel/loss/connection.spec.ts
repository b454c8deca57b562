import { describe, expect, it } from '@jest/globals';
import { field, journal, stateLine, useEntryEditors, waitUntilSaved } from '../entry-editors.js';
import { panel } from '../support.js';

const { openEditor, article, stored, waitForStored, forward } = useEntryEditors();

/** Writes of entries, which the tests let fail. */
const writes = /\/_cms\/api\/content\/articles(?:\/[^/]+)?$/;
const isWrite = (method: string) => method === 'PUT' || method === 'POST';

describe('what was typed', () => {
  it('is in the fields again after the tab was killed within a word', async () => {
    const { id } = await article('Killed');
    const session = await openEditor(`articles/${id}`);
    await field(session, 'Intro').pressSequentially('half a sen');
    expect(await journal(session)).toContain('half a sen');
    await session.page.goto('chrome://crash').catch(() => undefined);
    const next = await session.context.newPage();
    await next.goto(`${panel}/content/articles/${id}`);
    await next.getByText(/^Your changes of .* are here again/).waitFor();
    expect(await field({ page: next }, 'Intro').inputValue()).toBe('half a sen');
    await waitForStored(`articles/${id}`, { intro: 'half a sen' });
    await next.close();
  });

  it('is a new entry after the tab of a new one was reloaded before its title', async () => {
    const session = await openEditor('articles/new');
    await field(session, 'Intro').pressSequentially('nameless');
    expect(await journal(session)).toContain('nameless');
    await session.page.reload();
    await field(session, 'Intro').waitFor();
    expect(await field(session, 'Intro').inputValue()).toBe('nameless');
    await field(session, 'Title').fill('Named now');
    await waitUntilSaved(session);
    await session.page.waitForURL(/\/[0-9A-Z]{26}$/);
    await waitForStored(`articles/${session.path().split('/').at(-1) ?? ''}`, { intro: 'nameless' });
  });

  it.each([
    ['before', 'abort'],
    ['after', 'lose'],
  ] as const)('is saved once when the connection is cut %s a write', async (_, fault) => {
    const { id } = await article('Cut');
    const session = await openEditor(`articles/${id}`);
    let faults = 0;
    await session.page.route(writes, async (route) => {
      if (!isWrite(route.request().method()) || faults >= 2) return route.continue();
      faults += 1;
      // The server executes it, and the browser never hears of it.
      if (fault === 'lose') await forward(route);
      return route.abort('connectionreset');
    });
    await field(session, 'Intro').pressSequentially('over a bad line', { delay: 20 });
    await stateLine(session, /^Waiting for the connection/).waitFor();
    expect(await journal(session)).toContain('over a bad line');
    await field(session, 'Intro').pressSequentially(', and on');
    await waitForStored(`articles/${id}`, { intro: 'over a bad line, and on' });
    await waitUntilSaved(session);
    expect(faults).toBe(2);
    expect(await session.page.getByText(/^Conflict/).count()).toBe(0);
    session.consoleErrors.splice(0);
  });

  it('makes one entry when the response of its creation is lost', async () => {
    const session = await openEditor('articles/new');
    let isLost = false;
    await session.page.route(writes, async (route) => {
      if (route.request().method() !== 'POST' || isLost) return route.continue();
      isLost = true;
      await forward(route);
      return route.abort('connectionreset');
    });
    await field(session, 'Title').fill('One and only');
    await stateLine(session, /^Waiting for the connection/).waitFor();
    await session.page.waitForURL(/\/[0-9A-Z]{26}$/);
    await session.goTo(`${panel}/content/articles?q=One+and+only`);
    await session.page.getByText('1 of 1').waitFor();
    session.consoleErrors.splice(0);
  });

  it('is saved after the site was not available, without a click', async () => {
    const { id } = await article('Unavailable');
    const session = await openEditor(`articles/${id}`);
    let isDown = true;
    await session.page.route(writes, (route) => {
      if (!isDown || !isWrite(route.request().method())) return route.continue();
      const error = { code: 'SERVICE_UNAVAILABLE', message: 'Later' };
      return route.fulfill({ status: 503, json: { success: false, error } });
    });
    await field(session, 'Intro').pressSequentially('patient');
    await stateLine(session, /^Waiting for the connection/).waitFor();
    await field(session, 'Title').fill('Still typing');
    expect(await journal(session)).toMatch(/patient.*Still typing|Still typing.*patient/);
    isDown = false;
    await waitForStored(`articles/${id}`, { intro: 'patient', title: 'Still typing' });
    session.consoleErrors.splice(0);
  });

  it('is not replaced by the response of an earlier save', async () => {
    const { id } = await article('Slow');
    const session = await openEditor(`articles/${id}`);
    let count = 0;
    await session.page.route(writes, async (route) => {
      if (!isWrite(route.request().method())) return route.continue();
      count += 1;
      const response = await forward(route);
      if (count === 1) await new Promise((resolve) => setTimeout(resolve, 3000));
      return route.fulfill({ response });
    });
    await field(session, 'Intro').pressSequentially('first');
    await stateLine(session, 'Saving…').waitFor();
    await field(session, 'Intro').pressSequentially(' second', { delay: 100 });
    expect(await field(session, 'Intro').inputValue()).toBe('first second');
    await waitForStored(`articles/${id}`, { intro: 'first second' });
    await waitUntilSaved(session);
    expect(await field(session, 'Intro').inputValue()).toBe('first second');
  });

  it('is only in memory where the browser keeps nothing: the page says so, and asks before it is left', async () => {
    const { id } = await article('Refused');
    const session = await openEditor('articles/new');
    await session.context.addInitScript(
      "IDBFactory.prototype.open = () => { throw new DOMException('Refused', 'SecurityError'); }",
    );
    await session.page.route(writes, (route) =>
      isWrite(route.request().method()) ? route.abort('connectionreset') : route.continue(),
    );
    await session.goTo(`${panel}/content/articles/${id}`);
    await field(session, 'Intro').pressSequentially('volatile');
    await session.page.getByText('This browser keeps no text.', { exact: false }).waitFor();
    const asked = new Promise<string>((resolve) =>
      session.page.once('dialog', (dialog) => {
        resolve(dialog.type());
        void dialog.dismiss();
      }),
    );
    void session.page.close({ runBeforeUnload: true });
    expect(await asked).toBe('beforeunload');
    expect(await field(session, 'Intro').inputValue()).toBe('volatile');
    session.consoleErrors.splice(0);
  });

  it('reaches the server when the page is left at once', async () => {
    const { id } = await article('Left');
    const session = await openEditor(`articles/${id}`);
    await field(session, 'Intro').pressSequentially('last words');
    await session.goTo('/_cms/admin');
    await waitForStored(`articles/${id}`, { intro: 'last words' });
    expect(await stored(`articles/${id}`)).toMatchObject({ title: 'Left' });
  });

  it('is back after a new version of the panel has replaced the files of the screen', async () => {
    const { id } = await article('Deployed');
    const session = await openEditor(`articles/${id}`);
    await session.page.route(writes, (route) =>
      isWrite(route.request().method()) ? route.abort('connectionreset') : route.continue(),
    );
    await field(session, 'Intro').pressSequentially('before the update');
    expect(await journal(session)).toContain('before the update');
    await session.goTo(panel);
    await session.page.route(/\/entry-screen-[^/]*\.js$/, (route) => route.fulfill({ status: 404 }));
    await session.page.getByRole('link', { name: 'Deployed' }).first().click();
    await session.page.getByRole('alert').getByText('Something went wrong').waitFor();
    await session.page.unrouteAll();
    await session.press('Try again');
    await field(session, 'Intro').waitFor();
    expect(await field(session, 'Intro').inputValue()).toBe('before the update');
    await waitForStored(`articles/${id}`, { intro: 'before the update' });
    session.consoleErrors.splice(0);
  });
});
