import { beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, PageBrowser, useSite } from '@quire/testing';
import { redirectOf } from './support.js';

const site = useSite();
let browser: PageBrowser;

beforeAll(async () => {
  browser = new PageBrowser(site);
  await browser.open(site.setupPath);
});

const setup = '/_cms/admin/setup';

describe('/_cms/admin/setup', () => {
  it('starts with the site step for any requested step', async () => {
    for (const path of [setup, `${setup}?step=site`, `${setup}?step=admin`, `${setup}?step="><script>`]) {
      expect((await browser.open(path)).status).toBe(200);
      expect(browser.page).toContain('Title of the site');
      expect(browser.page).not.toContain('<script');
    }
  });

  it('offers sample content and creates it when the box is checked', async () => {
    for (const [chosen, count] of [
      [{ includeContent: undefined }, 0],
      [{}, 1],
    ] as const) {
      const fresh = await openSite();
      const newUser = new PageBrowser(fresh);
      await newUser.open(fresh.setupPath);
      await newUser.open(setup);
      expect(newUser.page).toContain('name="includeContent" value="on" checked');
      await newUser.send({ title: 'The Gazette', ...chosen });
      const admin = await fresh.as('admin');
      expect((await admin.get('/content/posts')).data.items).toHaveLength(count);
      await fresh.close();
    }
  });

  it('requires a title and keeps the entered values', async () => {
    await browser.open(setup);
    const response = await browser.send({ title: '  ', tagline: '"><b>' });
    expect(response.status).toBe(400);
    expect(browser.page).toContain('Give the site a title');
    expect(browser.page).toContain('value="&quot;&gt;&lt;b&gt;"');
    expect((await browser.send({ title: 'x'.repeat(201) })).status).toBe(400);
  });

  it('requires the CSRF token of the page', async () => {
    await browser.open(setup);
    expect((await browser.send({ title: 'Forged', csrf: 'x'.repeat(43) })).status).toBe(403);
    expect((await browser.open(setup)).body).toContain('Title of the site');
  });

  it('continues to the account step once the title is saved, and returns on request', async () => {
    await browser.open(setup);
    expect(redirectOf(await browser.send({ title: 'The Gazette', tagline: 'Since 1888' }))).toEqual([
      303,
      setup,
    ]);
    await browser.open(setup);
    expect(browser.page).toContain('data-start="/_cms/api/setup/admin"');
    expect(browser.page).toContain('<noscript>');
    await browser.open(`${setup}?step=site`);
    expect(browser.page).toContain('Title of the site');
  });

  it('redirects to the login once there is a user', async () => {
    await browser.open(`${setup}?step=site`);
    const admin = await site.as('admin');
    expect((await admin.get('/settings')).data).toMatchObject({
      title: 'The Gazette',
      tagline: 'Since 1888',
    });
    expect(redirectOf(await browser.send({ title: 'Too late' }))).toEqual([303, '/_cms/admin/login']);
    expect(redirectOf(await browser.open(setup))).toEqual([302, '/_cms/admin/login']);
    expect((await admin.get('/settings')).data.title).toBe('The Gazette');
  });
});
