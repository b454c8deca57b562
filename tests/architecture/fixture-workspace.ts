import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { layers, read, root } from './workspace.js';

/** A small workspace with the repository's configuration, for tests of violations. */
export class FixtureWorkspace {
  readonly folder = mkdtempSync(join(tmpdir(), 'quire-architecture-'));

  constructor() {
    for (const file of [
      'nx.json',
      'eslint.config.mjs',
      'tsconfig.json',
      'tsconfig.base.json',
      'package.json',
    ]) {
      this.write(file, read(file));
    }
    cpSync(join(root, 'tests/architecture'), join(this.folder, 'tests/architecture'), { recursive: true });
    this.linkModules();
    for (const name of layers) this.addPackage(`libs/${name}`, `@quire/${name}`, ['type:lib', `lib:${name}`]);
    for (const name of ['alpha', 'beta']) {
      this.addPackage(`services/${name}`, `@quire/${name}-service`, ['type:service', `scope:${name}`]);
    }
    this.addPackage('services/standalone', '@quire/standalone', ['type:composition', 'scope:standalone']);
  }

  write(path: string, text: string): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Runs a shell command in the workspace; `input` goes to its stdin. */
  run(command: string, input = ''): Promise<{ code: number; output: string }> {
    return new Promise((done) => {
      const child = execFile('sh', ['-c', command], { cwd: this.folder }, (error, stdout, stderr) => {
        const code = typeof error?.code === 'number' ? error.code : error ? 1 : 0;
        done({ code, output: code === 0 ? stdout : stdout + stderr });
      });
      child.stdin?.end(input);
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The installed modules except the repository's packages, which are linked to this workspace, as npm links them. */
  private linkModules(): void {
    mkdirSync(join(this.folder, 'node_modules/@quire'), { recursive: true });
    for (const name of readdirSync(join(root, 'node_modules'))) {
      if (name === '@quire' || name === '.cache') continue;
      symlinkSync(join(root, 'node_modules', name), join(this.folder, 'node_modules', name));
    }
  }

  private addPackage(folder: string, name: string, tags: string[]): void {
    const entryPoints = {
      '@app/source': './src/index.ts',
      types: './src/index.ts',
      default: './dist/index.js',
    };
    const manifest = {
      name,
      version: '0.0.0',
      private: true,
      type: 'module',
      exports: { '.': entryPoints },
      nx: { tags },
    };
    this.write(`${folder}/package.json`, JSON.stringify(manifest));
    this.write(`${folder}/src/index.ts`, 'export {};\n');
    symlinkSync(join(this.folder, folder), join(this.folder, 'node_modules', name));
  }
}
