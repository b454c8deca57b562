import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OtlpSink } from '@quire/testing';
import { serviceNames, variableName } from '@quire/topology';
import { useConfigTestEnvironment } from '../support.js';

const program = fileURLToPath(new URL('../../../services/standalone/dist/bundle/main.js', import.meta.url));
const unused = 'http://127.0.0.1:1';
const openTelemetry = /@opentelemetry\/([^/]+)/;

const testEnvironment = useConfigTestEnvironment();
let folder: string;

beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'quire-loaded-'))));
afterEach(() => rm(folder, { recursive: true }));

/**
 * Runs a process of the content service until it is ready.
 * @returns the packages of OpenTelemetry that it has loaded
 */
async function loadedPackages(settings: Record<string, string>): Promise<string[]> {
  const { DATABASE_URL = '', CMS_INTERNAL_SECRET = [] } = testEnvironment.environment;
  const child = fork(program, ['--target', 'content'], {
    execArgv: [],
    env: {
      ...Object.fromEntries(serviceNames.map((service) => [variableName(service, 'URL'), unused])),
      DATABASE_URL,
      CMS_INTERNAL_SECRET: CMS_INTERNAL_SECRET.join(),
      CMS_LOG_LEVEL: 'silent',
      PORT: '0',
      // V8 lists every script that it has compiled.
      NODE_V8_COVERAGE: folder,
      ...settings,
    },
  });
  const exited = once(child, 'exit');
  const [message] = (await once(child, 'message')) as [{ type: string }];
  expect(message.type).toBe('ready');
  child.kill('SIGTERM');
  await exited;
  const sources = (await loadedScripts()).flatMap(sourcesOf);
  const packages = (await Promise.all(sources)).flat().flatMap((path) => openTelemetry.exec(path)?.[1] ?? []);
  return [...new Set(packages)].sort();
}

/** The paths of the scripts that the process has loaded. */
async function loadedScripts(): Promise<string[]> {
  const reports = await readdir(folder);
  const texts = await Promise.all(reports.map((name) => readFile(join(folder, name), 'utf8')));
  return texts
    .flatMap((text) => (JSON.parse(text) as { result: { url: string }[] }).result)
    .filter(({ url }) => url.startsWith('file:'))
    .map(({ url }) => fileURLToPath(url));
}

/** The modules of a script: those of a bundle are in its source map. */
async function sourcesOf(script: string): Promise<string[]> {
  if (!existsSync(`${script}.map`)) return [script];
  const { sources } = JSON.parse(await readFile(`${script}.map`, 'utf8')) as { sources: string[] };
  return [script, ...sources];
}

describe('the OpenTelemetry SDK', () => {
  it('is not loaded by a process without an endpoint: only the interfaces are, which the metrics use', async () => {
    expect(await loadedPackages({})).toEqual(['api']);
  });

  it('is loaded by a process with an endpoint', async () => {
    const sink = await OtlpSink.open();
    const packages = await loadedPackages({ OTEL_EXPORTER_OTLP_ENDPOINT: sink.endpoint });
    await sink.close();
    expect(packages).toEqual(expect.arrayContaining(['api', 'exporter-trace-otlp-http', 'sdk-trace']));
  });
});
