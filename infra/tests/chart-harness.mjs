/** What the tests of the Helm chart share: rendered manifests, and their check against the types of their kinds. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import yaml from 'yaml';
import { findHelm } from '../dist/test-runner/test-tools.js';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const chart = join(root, 'infra/chart');
export const read = (path) => readFileSync(join(root, path), 'utf8');
/** Names of the files of values in `ci/`. */
export const cases = readdirSync(join(chart, 'ci')).map((file) => file.replace(/-values\.yaml$/, ''));
export const valuesOf = (name) => yaml.parse(read(`infra/chart/ci/${name}-values.yaml`));
export const helm = await findHelm(root);

const tools = join(root, 'infra/test-tools');

/** Runs Helm without a cluster. @returns its exit code, and what it prints */
export function runHelm(args) {
  const env = { PATH: process.env.PATH, HOME: tmpdir() };
  const { status, stdout, stderr } = spawnSync(helm, args, { encoding: 'utf8', env });
  return { status, stdout, stderr };
}

/** Runs Helm with values. @param args those before the chart, such as `template` and the name of the release */
export function withValues(args, values) {
  const folder = mkdtempSync(join(tmpdir(), 'quire-chart-'));
  try {
    const file = join(folder, 'values.json');
    writeFileSync(file, JSON.stringify(values));
    return runHelm([...args, chart, '--namespace', 'cms', '--values', file]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The manifests of the release `quire` with these values. @throws Error with what Helm prints */
export function render(values) {
  const { status, stdout, stderr } = withValues(['template', 'quire'], values);
  if (status !== 0) throw new Error(stderr);
  return yaml
    .parseAllDocuments(stdout)
    .map((document) => document.toJS())
    .filter((manifest) => manifest !== null);
}

/** The pods of manifests: those of Deployments, of the Job and of the test. */
export const podsOf = (manifests) =>
  manifests
    .filter(({ kind }) => ['Deployment', 'Job', 'Pod'].includes(kind))
    .map(({ kind, metadata, spec }) => ({
      name: metadata.name,
      labels: kind === 'Pod' ? metadata.labels : spec.template.metadata.labels,
      spec: kind === 'Pod' ? spec : spec.template.spec,
    }));

export const ofKind = (manifests, wanted) => manifests.filter(({ kind }) => kind === wanted);

/** The packages with the kinds of operators, by the group of their API. */
const packages = {
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
};
const moduleOf = ({ apiVersion, kind }) =>
  `${packages[apiVersion.split('/')[0]] ?? 'kubernetes-models'}/${apiVersion}/${kind}`;

/**
 * Checks manifests against the OpenAPI schemas of their kinds: by the types that are generated from them, which know
 * all fields, and by the validation functions, which know the permitted values.
 * @returns one line for each mistake
 */
export async function mistakesOf(manifests) {
  const folder = mkdtempSync(join(tools, 'node_modules/.quire-manifests-'));
  try {
    const lines = manifests.map(
      (manifest, index) =>
        `export const m${index}: import('${moduleOf(manifest)}').I${manifest.kind} = ${JSON.stringify(manifest)};`,
    );
    writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'));
    const mistakes = typeErrors(join(folder, 'manifests.ts'));
    for (const manifest of manifests) {
      const module = await import(join(folder, '../', moduleOf(manifest) + '.js'));
      try {
        new module[manifest.kind](manifest).validate();
      } catch (error) {
        mistakes.push(`${manifest.kind} ${manifest.metadata.name}: ${error.message}`);
      }
    }
    return mistakes;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function typeErrors(file) {
  const compiler = join(root, 'node_modules/typescript-7/bin/tsc');
  const options = '--ignoreConfig --noEmit --strict --skipLibCheck --module preserve --target es2023'.split(
    ' ',
  );
  try {
    execFileSync(process.execPath, [compiler, ...options, file], { encoding: 'utf8' });
    return [];
  } catch (error) {
    return error.stdout.trim().split('\n');
  }
}
