import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative, sep } from 'node:path';
import type { BullMQAdapter as QueueAdapter } from '@bull-board/api/bullMQAdapter';
import type { BullBoardQueues, IServerAdapter } from '@bull-board/api/typings/app';

type ApiRoute = Parameters<IServerAdapter['setApiRoutes']>[0][number];
type EntryRoute = Parameters<IServerAdapter['setEntryRoute']>[0];
type UiConfig = Parameters<IServerAdapter['setUIConfig']>[0];
export type Adapter = BullBoardQueues extends Map<string, infer Each> ? Each : never;
type AdapterOptions = NonNullable<ConstructorParameters<typeof QueueAdapter>[1]>;

/** The parts of bull-board, without a web server. */
export interface Board {
  apiRoutes: readonly ApiRoute[];
  /** Paths of its page. */
  pagePaths: readonly string[];
  uiConfig: UiConfig;
  /** Its page. */
  page: string;
  /** Content of the files that the page loads, by path: `/static/js/main.js`. */
  file(path: string): Promise<{ type: string; content: Buffer } | undefined>;
  adapterOf(queue: ConstructorParameters<typeof QueueAdapter>[0], options: AdapterOptions): Adapter;
}

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};
const webFonts = /<link href="https:\/\/fonts\.[^>]*>/g;
const placeholder = /<%([=-]) (\w+) %>/g;

/**
 * Loads bull-board, whose modules are not part of the bundle: few processes have visitors of it.
 * @param basePath path of the page
 */
export async function loadBoard(basePath: string, config: UiConfig): Promise<Board> {
  const [{ createBullBoard }, { BullMQAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
  ]);
  const uiBasePath = dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json'));
  const server = new CapturedServer();
  createBullBoard({ queues: [], serverAdapter: server, options: { uiBasePath, uiConfig: config } });
  const { entry, uiConfig, apiRoutes } = server;
  if (!entry) throw new Error('The dashboard has no page');
  const { name, params } = entry.handler({ basePath, uiConfig });
  const files = await filesBelow(join(uiBasePath, 'dist', 'static'));
  return {
    apiRoutes,
    pagePaths: [entry.route].flat(),
    uiConfig,
    page: render(await readFile(join(uiBasePath, 'dist', name), 'utf8'), params),
    async file(path) {
      const location = files.get(path);
      if (location === undefined) return undefined;
      const type = contentTypes[extname(location)] ?? 'application/octet-stream';
      return { type, content: await readFile(location) };
    },
    adapterOf: (queue, options) => new BullMQAdapter(queue, options),
  };
}

/** Receives what bull-board gives to the adapter of a web server. */
class CapturedServer implements IServerAdapter {
  apiRoutes: readonly ApiRoute[] = [];
  entry: EntryRoute | undefined;
  uiConfig: UiConfig = {};

  setApiRoutes(routes: ApiRoute[]): this {
    this.apiRoutes = routes;
    return this;
  }

  setEntryRoute(route: EntryRoute): this {
    this.entry = route;
    return this;
  }

  setUIConfig(config: UiConfig): this {
    this.uiConfig = config;
    return this;
  }

  setQueues(): this {
    return this;
  }

  setViewsPath(): this {
    return this;
  }

  setStaticPath(): this {
    return this;
  }

  setErrorHandler(): this {
    return this;
  }
}

/** Fills the template of the page in. The fonts of another host are left out. */
function render(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(webFonts, '').replace(placeholder, (_, kind: string, name: string) => {
    const value = values[name] ?? '';
    return kind === '-' ? value : value.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  });
}

/** The files of a folder by their paths: only these are served. */
async function filesBelow(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [`/static/${relative(folder, path).split(sep).join('/')}`, path]),
  );
}
