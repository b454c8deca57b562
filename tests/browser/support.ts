import { afterAll, afterEach, expect } from '@jest/globals';
import { useSite, type Site, type TestRole } from '@quire/testing';
import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from 'playwright-core';

/** Chromium has no sandbox as root; the other flags disable its own network requests. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** Timeout of every wait for the page. */
const timeoutMs = 30_000;
/** Console message of a failed request, which tests ignore because they check the page. */
const expectedConsoleError = /^Failed to load resource: the server responded with a status of 4\d\d/;

let browser: Promise<Browser> | undefined;

/** Starts Chromium once per file. */
function openBrowser(): Promise<Browser> {
  const executablePath = (globalThis as { __QUIRE_CHROMIUM__?: string }).__QUIRE_CHROMIUM__;
  if (executablePath === undefined) throw new Error('The browser tests run with `npm test`');
  browser ??= chromium.launch({ executablePath, args: flags });
  return browser;
}

async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

export interface BrowserSessionOptions {
  javaScriptEnabled?: boolean;
  colorScheme?: 'light' | 'dark';
  reducedMotion?: 'reduce';
  viewport?: { width: number; height: number };
}

/** A user with a separate browser context. */
export class BrowserSession {
  /** Console errors: violated policies, failed scripts. */
  readonly consoleErrors: string[] = [];
  /** Requests that left the site. */
  readonly externalRequests: string[] = [];
  private readonly applications = new Set<string>();
  private devTools: CDPSession | undefined;

  private constructor(
    readonly site: Site,
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.on('console', (message) => {
      if (message.type() === 'error' && !expectedConsoleError.test(message.text()))
        this.consoleErrors.push(message.text());
    });
    page.on('pageerror', (error) => this.consoleErrors.push(String(error)));
    page.on('request', (request) => {
      const { host, protocol } = new URL(request.url());
      if (host !== site.host && protocol !== 'data:' && !this.applications.has(host))
        this.externalRequests.push(request.url());
    });
  }

  static async open(site: Site, options: BrowserSessionOptions = {}): Promise<BrowserSession> {
    const context = await (await openBrowser()).newContext({ baseURL: `http://${site.host}`, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(timeoutMs);
    return new BrowserSession(site, context, page);
  }

  /** Opens a path of the site, or an address. */
  async goTo(path: string): Promise<void> {
    await this.page.goto(path);
  }

  /** The current path, without its query. */
  path(): string {
    return new URL(this.page.url()).pathname;
  }

  /** Waits until the page is at a path. */
  async waitForPath(path: string): Promise<void> {
    await this.page.waitForURL((url) => url.pathname === path);
  }

  heading(name: string | RegExp) {
    return this.page.getByRole('heading', { level: 1, name });
  }

  async fill(label: string, value: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).fill(value);
  }

  async press(button: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name: button }).click();
  }

  /** Text of the noscript element, which Playwright's text locators ignore. */
  async noscriptText(): Promise<string> {
    const note = this.page.locator('noscript p');
    await note.waitFor();
    return (await note.textContent()) ?? '';
  }

  /** The text of the alert on the page. */
  async alertText(): Promise<string> {
    const alert = this.page.getByRole('alert').filter({ hasText: /\S/ });
    return (await alert.textContent())?.trim() ?? '';
  }

  /**
   * Serves a fake application at an address, to which the consent page redirects.
   * @returns a promise of the address that it is called with
   */
  async application(address: string): Promise<{ called: Promise<URL> }> {
    this.applications.add(new URL(address).host);
    let resolveCalled: (url: URL) => void;
    const called = new Promise<URL>((resolve) => (resolveCalled = resolve));
    await this.page.route(`${address}*`, async (route) => {
      resolveCalled(new URL(route.request().url()));
      await route.fulfill({ contentType: 'text/html', body: '<title>App</title><h1>App</h1>' });
    });
    return { called };
  }

  /** Adds a virtual authenticator that confirms every ceremony. @returns its id */
  async addAuthenticator(): Promise<string> {
    this.devTools ??= await this.openDevTools();
    const { authenticatorId } = await this.devTools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return authenticatorId;
  }

  async removeAuthenticator(authenticatorId: string): Promise<void> {
    await this.devTools?.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
  }

  /** Sets a session cookie of a user of the role. @param minutesAgo time since the sign-in */
  async signIn(role: TestRole = 'admin', name: string = role, minutesAgo = 0): Promise<void> {
    const { session = '' } = await this.site.signedIn(role, name, minutesAgo);
    const url = `http://${this.site.host}`;
    await this.context.addCookies([{ name: 'cms_session', value: session, url, httpOnly: true }]);
  }

  close(): Promise<void> {
    return this.context.close();
  }

  private async openDevTools(): Promise<CDPSession> {
    const session = await this.context.newCDPSession(this.page);
    await session.send('WebAuthn.enable');
    return session;
  }
}

/**
 * Opens a site for a file and browser sessions for its tests. After each test, closes the sessions and expects neither
 * console errors nor requests that left the site. After the file, closes Chromium.
 * @param defaults options of every session
 */
export function useBrowserSessions(defaults: BrowserSessionOptions = {}) {
  const site = useSite({ forBrowsers: true });
  const open: BrowserSession[] = [];
  afterEach(async () => {
    const errors = open.flatMap(({ consoleErrors, externalRequests }) => [
      ...consoleErrors,
      ...externalRequests,
    ]);
    await Promise.all(open.splice(0).map((session) => session.close()));
    expect(errors).toEqual([]);
  });
  afterAll(closeBrowser);
  return {
    site,
    /** Opens a session. @param at another site than that of the file */
    openSession: async (options: BrowserSessionOptions = {}, at = site): Promise<BrowserSession> => {
      const session = await BrowserSession.open(at, { ...defaults, ...options });
      open.push(session);
      return session;
    },
  };
}

/** Adds a passkey for the signed-in user on the start page. @returns the id of its authenticator */
export async function createPasskey(session: BrowserSession): Promise<string> {
  const authenticatorId = await session.addAuthenticator();
  await session.goTo('/_cms/admin');
  await session.press('Add a passkey');
  await session.page.getByRole('status').filter({ hasText: 'has been added' }).waitFor();
  return authenticatorId;
}

/** Addresses of a site for tests with mails: sites share the mail server, so each uses its own addresses. */
export function mailAddresses(site: Site) {
  return {
    addressOf: (name: string) => `${name}@${site.tenant}.example`,
    /** Domain for users who sign up. */
    corporateDomain: () => `corp-${site.tenant}.example`,
    /** The link in the last mail to an address. */
    linkTo: async (address: string) => (await site.mailsTo(address)).at(-1)?.link ?? '',
  };
}
