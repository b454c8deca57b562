import { openSite, testSystem, type Site } from '@quire/testing';
import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from 'playwright-core';

/** As root Chromium has no sandbox; the rest keeps it from calling home. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** How long a visitor waits for what should come. */
const timeoutMs = 30_000;
/** What a failed request says on the console; the tests look at the page instead. */
const expectedConsoleError = /^Failed to load resource: the server responded with a status of 4\d\d/;

let browser: Promise<Browser> | undefined;

/** Starts Chromium once a file. */
function openBrowser(): Promise<Browser> {
  const executablePath = (globalThis as { __QUIRE_CHROMIUM__?: string }).__QUIRE_CHROMIUM__;
  if (executablePath === undefined) throw new Error('The browser tests run with `npm test`');
  browser ??= chromium.launch({ executablePath, args: flags });
  return browser;
}

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

/** A site that browsers find and trust. */
export function openBrowserSite(): Promise<Site> {
  return openSite(testSystem(), { forBrowsers: true });
}

export interface BrowserSessionOptions {
  javaScriptEnabled?: boolean;
  colorScheme?: 'light' | 'dark';
  reducedMotion?: 'reduce';
  viewport?: { width: number; height: number };
}

/** Somebody with a browser of their own. */
export class BrowserSession {
  /** What their browser complained of: broken policies, scripts that failed. */
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

  /** The path that they are at, without its query. */
  path(): string {
    return new URL(this.page.url()).pathname;
  }

  /** Waits until they are at a path. */
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

  /** What stands in place of that which needs a script. Playwright overlooks such texts. */
  async noscriptText(): Promise<string> {
    const note = this.page.locator('noscript p');
    await note.waitFor();
    return (await note.textContent()) ?? '';
  }

  /** The text that the page tells as a problem. */
  async problem(): Promise<string> {
    const alert = this.page.getByRole('alert').filter({ hasText: /\S/ });
    return (await alert.textContent())?.trim() ?? '';
  }

  /**
   * Stands in for an application at an address, to which the consent page leads back.
   * @returns the address that it is called with, once it is
   */
  async application(address: string): Promise<{ called: Promise<URL> }> {
    this.applications.add(new URL(address).host);
    let arrive: (url: URL) => void;
    const called = new Promise<URL>((resolve) => (arrive = resolve));
    await this.page.route(`${address}*`, async (route) => {
      arrive(new URL(route.request().url()));
      await route.fulfill({ contentType: 'text/html', body: '<title>App</title><h1>App</h1>' });
    });
    return { called };
  }

  /** Gives the browser a device that makes passkeys and agrees to everything. @returns its id. */
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

  /** Signs in without a page, as a user of the role. @param minutesAgo how long ago that was */
  async signIn(
    role: 'admin' | 'editor' | 'subscriber' = 'admin',
    name: string = role,
    minutesAgo = 0,
  ): Promise<void> {
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

/** Opens browserSessions for a file's tests, and closes them again; @returns those that are open. */
export function openBrowserSessions(site: () => Site) {
  const open: BrowserSession[] = [];
  return {
    open,
    visitor: async (options?: BrowserSessionOptions) => {
      const visitor = await BrowserSession.open(site(), options);
      open.push(visitor);
      return visitor;
    },
    /** Closes all. @returns what their browsers complained of, and which requests left the site. */
    close: async () => {
      const told = open.flatMap(({ consoleErrors, externalRequests }) => [
        ...consoleErrors,
        ...externalRequests,
      ]);
      await Promise.all(open.splice(0).map((visitor) => visitor.close()));
      return told;
    },
  };
}
