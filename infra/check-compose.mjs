#!/usr/bin/env node
/**
 * Checks docker-compose.yml for CI: what the compose CLI says of it, and the rules that no CLI knows. Without a CLI
 * only the rules are checked, and the output says so. Exits 1 with one line for each mistake.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import yaml from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));
const publicService = 'gateway';
const conditions = ['service_started', 'service_healthy', 'service_completed_successfully'];
const commands = [['docker', 'compose'], ['docker-compose']];

const read = (path) => readFileSync(join(root, path), 'utf8');

/** The variables of the example, with something in each, as an operator would leave them. */
export function readExample() {
  const pairs = [...read('infra/compose.env.example').matchAll(/^([A-Z0-9_]+)=(.*)$/gm)];
  return Object.fromEntries(pairs.map(([, name, value]) => [name, value || 'x'.repeat(48)]));
}

/** What a container could do beyond its work. */
function confinementMistakes(name, service) {
  const mistakes = [];
  if (!service.cap_drop?.includes('ALL')) mistakes.push(`${name}: keeps capabilities`);
  if (!service.security_opt?.includes('no-new-privileges:true'))
    mistakes.push(`${name}: may gain privileges`);
  if (service.build && service.cap_add) mistakes.push(`${name}: is given capabilities`);
  if (service.build && service.read_only !== true) mistakes.push(`${name}: may write its own file system`);
  if (service.privileged || service.pid === 'host' || service.network_mode === 'host')
    mistakes.push(`${name}: is not confined`);
  return mistakes;
}

/** Services that are given more of a store than they need. */
function privilegeMistakes(services) {
  const mistakes = [];
  const superuser = services.postgres?.environment?.POSTGRES_USER ?? 'postgres';
  const loginOf = ({ environment }) => environment?.DATABASE_URL?.match(/^postgresql:\/\/([^:]+):/)?.[1];
  const owner = services.migrate && loginOf(services.migrate);
  for (const [name, service] of Object.entries(services)) {
    const login = loginOf(service);
    if (login === superuser) mistakes.push(`${name}: connects as the superuser of the database`);
    if (name !== 'migrate' && login !== undefined && login === owner)
      mistakes.push(`${name}: connects as the login that provisions`);
    if (service.build && JSON.stringify(service.environment ?? {}).includes('MEILI_MASTER_KEY'))
      mistakes.push(`${name}: knows the master key of Meilisearch`);
  }
  return mistakes;
}

/** Where the targets and what they have to know of each other differ from the list of targets. */
function targetMistakes(services, { api, worker }, example) {
  const mistakes = [];
  const targets = [...api, ...worker];
  const behindGateway = api.filter((target) => target !== publicService);
  for (const target of targets) {
    const service = services[target];
    if (!service) {
      mistakes.push(`target ${target} has no service`);
      continue;
    }
    if (service.command?.join(' ') !== `--target ${target}`)
      mistakes.push(`${target}: command is not --target ${target}`);
    const variable = `CMS_INTERNAL_PRIVATE_KEYS_${target.replace(/-worker$/, '').toUpperCase()}`;
    const key = variable in example ? `\${${variable}:-}` : undefined;
    if (service.environment?.CMS_INTERNAL_PRIVATE_KEYS !== key)
      mistakes.push(`${target}: CMS_INTERNAL_PRIVATE_KEYS is not ${key ?? 'absent'}`);
    // A target without a key calls no other.
    for (const other of key === undefined ? [] : behindGateway)
      if (service.environment?.[`${other.toUpperCase()}_URL`] !== `http://${other}:4321`)
        mistakes.push(`${target}: does not know where ${other} is`);
  }
  for (const other of behindGateway)
    if (!services[publicService]?.depends_on?.[other])
      mistakes.push(`${publicService}: does not wait for ${other}`);
  for (const [name, { command }] of Object.entries(services))
    if (command?.includes('--target') && !targets.includes(name)) mistakes.push(`${name}: is no target`);
  return mistakes;
}

/**
 * Mistakes that follow from the file itself.
 * @param targets lists of the targets that serve requests and of those that run jobs, as in targets.json
 */
export function checkRules(text, { targets, example }) {
  const { services, networks = {}, volumes = {} } = yaml.parse(text, { merge: true });
  const mistakes = [];
  const isOneShot = (service) => service.restart === 'no';
  const hasHealth = (service) =>
    service.healthcheck?.disable !== true && (service.healthcheck?.test || service.build);
  mistakes.push(...targetMistakes(services, targets, example));
  for (const [name, service] of Object.entries(services)) {
    if (!service.image && !service.build) mistakes.push(`${name}: neither image nor build`);
    if (/^minio\//.test(service.image ?? ''))
      mistakes.push(`${name}: the MinIO server image is no longer maintained`);
    if (!service.build && !/:v?\d+\.\d+/.test(service.image ?? ''))
      mistakes.push(`${name}: the image has no exact version`);
    mistakes.push(...confinementMistakes(name, service));
    if (service.ports && name !== publicService)
      mistakes.push(`${name}: only ${publicService} may publish ports`);
    if (!isOneShot(service) && !hasHealth(service)) mistakes.push(`${name}: no health check`);
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      const needed = services[other];
      if (!needed) mistakes.push(`${name}: depends on ${other}, which does not exist`);
      else if (!conditions.includes(condition))
        mistakes.push(`${name}: unknown condition ${condition} for ${other}`);
      else if (condition === 'service_healthy' && !hasHealth(needed))
        mistakes.push(`${name}: ${other} has no health check to wait for`);
      else if (isOneShot(needed) !== (condition === 'service_completed_successfully'))
        mistakes.push(`${name}: wrong condition for ${other}`);
    }
    for (const network of service.networks ?? [])
      if (!(network in networks)) mistakes.push(`${name}: unknown network ${network}`);
    for (const volume of service.volumes ?? []) {
      const source = String(volume).split(':')[0];
      if (!/^[./]/.test(source) && !(source in volumes)) mistakes.push(`${name}: unknown volume ${source}`);
    }
    for (const [key, value] of Object.entries(service.environment ?? {})) {
      if (/SECRET|PASSWORD|_KEY$|AUTH$/.test(key) && !/\$\{\w+:(?:\?|-\})/.test(String(value)))
        mistakes.push(`${name}: ${key} is neither a required variable nor unset by default`);
    }
  }
  mistakes.push(...privilegeMistakes(services));
  const used = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
  for (const name of used) if (!(name in example)) mistakes.push(`compose.env.example lacks ${name}`);
  for (const name of Object.keys(example))
    if (!used.has(name)) mistakes.push(`compose.env.example has ${name}, which nothing uses`);
  return mistakes;
}

/** Mistakes the compose CLI finds, or undefined when none is installed. */
function checkWithCli(example) {
  const found = commands.find(([command, ...args]) => spawnSync(command, [...args, 'version']).status === 0);
  if (!found) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'quire-compose-'));
  try {
    const envFile = join(folder, 'env');
    writeFileSync(
      envFile,
      Object.entries(example)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    );
    const [command, ...args] = found;
    const config = (file) => {
      const all = [
        ...args,
        '--file',
        join(root, 'docker-compose.yml'),
        '--project-directory',
        root,
        '--env-file',
        file,
        'config',
        '--quiet',
      ];
      return spawnSync(command, all, {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: process.env.HOME },
      });
    };
    const mistakes = [];
    const filled = config(envFile);
    if (filled.status !== 0)
      mistakes.push(`${found.join(' ')} rejects docker-compose.yml: ${filled.stderr.trim()}`);
    const emptyFile = join(folder, 'empty');
    writeFileSync(emptyFile, '');
    if (config(emptyFile).status === 0) mistakes.push('docker-compose.yml is accepted without its secrets');
    return { name: found.join(' '), mistakes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function main() {
  const targets = JSON.parse(read('services/standalone/targets.json'));
  const example = readExample();
  const mistakes = checkRules(read('docker-compose.yml'), { targets, example });
  const cli = checkWithCli(example);
  for (const mistake of [...mistakes, ...(cli?.mistakes ?? [])]) console.error(mistake);
  process.exitCode = mistakes.length + (cli?.mistakes.length ?? 0) > 0 ? 1 : 0;
  const how = cli ? `by our rules and ${cli.name}` : 'by our rules only: no compose CLI is installed';
  if (process.exitCode === 0) console.log(`docker-compose.yml is good (checked ${how}).`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
