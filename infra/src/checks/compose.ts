import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import yaml from 'yaml';
import { parseCommandLine, root, type CommandOptions } from '../command.js';

const usage = `Usage: npm run check:compose

Checks docker-compose.yml: with the compose CLI, and against rules that no CLI knows. Without a CLI it checks the rules
only, and the output says so. Exits with 1 after one line for each mistake.`;
const publicService = 'gateway';
const conditions = ['service_started', 'service_healthy', 'service_completed_successfully'];
const commands = [['docker', 'compose'], ['docker-compose']] as const;

interface Service {
  image?: string;
  build?: object;
  restart?: string;
  command?: string[];
  environment?: Record<string, string>;
  healthcheck?: { disable?: boolean; test?: unknown };
  depends_on?: Record<string, { condition: string }>;
  networks?: string[];
  volumes?: unknown[];
  ports?: unknown[];
  cap_add?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  read_only?: boolean;
  privileged?: boolean;
  pid?: string;
  network_mode?: string;
  mem_limit?: string;
  cpus?: string;
  pids_limit?: number;
  logging?: { options?: Record<string, string> };
}

type Services = Record<string, Service>;
/** Variables of compose.env.example with their values. */
type Example = Readonly<Record<string, string>>;

interface ComposeFile {
  services: Services;
  networks?: object;
  volumes?: object;
}

const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The variables of the example; those without a value get one, as from an operator. */
export function readExample(): Example {
  const pairs = [...read('infra/compose.env.example').matchAll(/^([A-Z0-9_]+)=(.*)$/gm)];
  return Object.fromEntries(pairs.map(([, name = '', value]) => [name, value || 'x'.repeat(48)]));
}

/** Permissions of a container that it does not need. */
function confinementMistakes(name: string, service: Service): string[] {
  const mistakes: string[] = [];
  if (!service.cap_drop?.includes('ALL')) mistakes.push(`${name}: keeps capabilities`);
  if (!service.security_opt?.includes('no-new-privileges:true'))
    mistakes.push(`${name}: may gain privileges`);
  if (service.build && service.cap_add) mistakes.push(`${name}: is given capabilities`);
  if (service.build && service.read_only !== true) mistakes.push(`${name}: may write its own file system`);
  if (service.privileged || service.pid === 'host' || service.network_mode === 'host')
    mistakes.push(`${name}: is not confined`);
  return mistakes;
}

/** Resources that a container may use without a limit. */
function limitMistakes(name: string, service: Service): string[] {
  const limits = { mem_limit: 'memory', cpus: 'CPU', pids_limit: 'processes' } as const;
  const mistakes = Object.entries(limits)
    .filter(([key]) => service[key as keyof typeof limits] === undefined)
    .map(([, resource]) => `${name}: no limit of ${resource}`);
  const { 'max-size': size, 'max-file': files } = service.logging?.options ?? {};
  return size && files ? mistakes : [...mistakes, `${name}: its logs are not rotated`];
}

/** Services with more permissions on a store than they need. */
function privilegeMistakes(services: Services): string[] {
  const mistakes: string[] = [];
  const superuser = services.postgres?.environment?.POSTGRES_USER ?? 'postgres';
  const loginOf = ({ environment }: Service) =>
    environment?.DATABASE_URL?.match(/^postgresql:\/\/([^:]+):/)?.[1];
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

interface Targets {
  api: string[];
  worker: string[];
}

/** Differences between the services and the list of targets, including their addresses and keys. */
function targetMistakes(services: Services, { api, worker }: Targets, example: Example): string[] {
  const mistakes: string[] = [];
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
 * Checks a compose file against the rules.
 * @param targets lists of the targets that serve requests and of those that run jobs, as in targets.json
 * @returns one line for each mistake
 */
export function checkRules(
  text: string,
  { targets, example }: { targets: Targets; example: Example },
): string[] {
  const file: ComposeFile = yaml.parse(text, { merge: true });
  const { services, networks = {}, volumes = {} } = file;
  const mistakes: string[] = [];
  const isOneShot = (service: Service) => service.restart === 'no';
  const hasHealth = (service: Service) =>
    service.healthcheck?.disable !== true && (service.healthcheck?.test || service.build);
  mistakes.push(...targetMistakes(services, targets, example));
  for (const [name, service] of Object.entries(services)) {
    if (!service.image && !service.build) mistakes.push(`${name}: neither image nor build`);
    if (/^minio\//.test(service.image ?? ''))
      mistakes.push(`${name}: the MinIO server image is no longer maintained`);
    if (/^redis(?:$|:)/.test(service.image ?? ''))
      mistakes.push(`${name}: Valkey has the free licence that Redis had`);
    if (!service.build && !/:v?\d+\.\d+/.test(service.image ?? ''))
      mistakes.push(`${name}: the image has no exact version`);
    mistakes.push(...confinementMistakes(name, service), ...limitMistakes(name, service));
    if (name !== publicService && service.ports?.some((port) => !String(port).startsWith('127.0.0.1:')))
      mistakes.push(`${name}: only ${publicService} may publish ports beyond this computer`);
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
      const [source = ''] = String(volume).split(':');
      if (!/^[./]/.test(source) && !(source in volumes)) mistakes.push(`${name}: unknown volume ${source}`);
    }
    for (const [key, value] of Object.entries(service.environment ?? {})) {
      if (/SECRET|PASSWORD|_KEY$|AUTH$/.test(key) && !/\$\{\w+:(?:\?|-\})/.test(String(value)))
        mistakes.push(`${name}: ${key} is neither a required variable nor unset by default`);
    }
  }
  mistakes.push(...privilegeMistakes(services));
  const used = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name));
  for (const name of used) if (!(name in example)) mistakes.push(`compose.env.example lacks ${name}`);
  for (const name of Object.keys(example))
    if (!used.has(name)) mistakes.push(`compose.env.example has ${name}, which nothing uses`);
  return mistakes;
}

/** Mistakes that the compose CLI finds, or undefined when none is installed. */
function checkWithCli(example: Example): { name: string; mistakes: string[] } | undefined {
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
    const config = (file: string) => {
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
    const mistakes: string[] = [];
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

export async function run({ args }: CommandOptions): Promise<number> {
  const options = { help: { type: 'boolean', short: 'h' } } as const;
  if (parseCommandLine('npm run check:compose', { args, options }).values.help) {
    console.log(usage);
    return 0;
  }
  const targets = JSON.parse(read('services/standalone/targets.json'));
  const example = readExample();
  const rules = checkRules(read('docker-compose.yml'), { targets, example });
  const cli = checkWithCli(example);
  const mistakes = [...rules, ...(cli?.mistakes ?? [])];
  for (const mistake of mistakes) console.error(mistake);
  if (mistakes.length > 0) return 1;
  const how = cli ? `by our rules and ${cli.name}` : 'by our rules only: no compose CLI is installed';
  console.log(`docker-compose.yml is good (checked ${how}).`);
  return 0;
}
