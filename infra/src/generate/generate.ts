import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { UserFacingError } from '../../prepare/user-facing-error.mjs';
import { parseCommandLine, type CommandOptions } from '../command.js';

interface GeneratedFile {
  path: string;
  text: (path: string) => Promise<string>;
}

/** A dashboard of Grafana. */
const dashboard = (name: string): GeneratedFile => ({
  path: `infra/grafana/dashboards/${name}.json`,
  text: async (path) => {
    const { dashboardJson } = await import('./dashboards.js');
    return format(JSON.stringify(dashboardJson(name)), { ...(await resolveConfig(path)), filepath: path });
  },
});

/** The generated files. Each imports the modules that it describes, so only a chosen one loads them. */
const files: Readonly<Record<string, GeneratedFile>> = {
  'api-client': {
    path: 'libs/api-client/src/generated/operations.ts',
    text: async () => (await import('./api-client.js')).apiClient(),
  },
  chart: { path: 'infra/chart/files/targets.json', text: chartTargets },
  'mcp-docs': {
    path: 'docs/mcp.md',
    text: async (path) => (await import('./mcp-docs.js')).mcpDocs(path),
  },
  'dashboard-fleet': dashboard('fleet'),
  'dashboard-queues': dashboard('queues'),
  'dashboard-sites': dashboard('sites'),
  metrics: { path: 'docs/metrics.md', text: metrics },
  routes: {
    path: 'services/gateway/src/routing/routes.generated.ts',
    text: async (path) => (await import('./routes.js')).routes(path),
  },
  targets: { path: 'services/standalone/targets.json', text: targets },
  tools: {
    path: 'services/gateway/src/mcp/tools.generated.ts',
    text: async (path) => (await import('./tools.js')).tools(path),
  },
  'transfer-format': { path: 'docs/transfer-format.schema.json', text: transferFormat },
  variables: { path: 'docs/variables.md', text: variables },
};

const usage = `Usage: npm run generate [-- NAMES] [-- --check]

Builds, and writes the committed files that are derived from the code: ${Object.keys(files).join(', ')} (default: all).

  --check  writes nothing, and exits with 1 after one line for each outdated file
  --help   this text`;

/** The list of targets for scripts and docker-compose.yml. */
async function targets(path: string): Promise<string> {
  const { apiTargets, workerTargets } = await import('@quire/topology');
  const lists = { api: apiTargets, worker: workerTargets };
  return format(JSON.stringify(lists), { ...(await resolveConfig(path)), filepath: path });
}

/** The targets for the Helm chart, with the queues of each worker. */
async function chartTargets(path: string): Promise<string> {
  const { serviceNames, services, namesWith, workerOf } = await import('@quire/topology');
  const { jobs } = await import('@quire/jobs');
  const queuesOf = (target: string) =>
    [...new Set(jobs.filter((job) => job.target === target).map(({ queue }) => queue))].sort();
  const api = serviceNames.map((service) => [service, service, 'api'] as const);
  const workers = namesWith('hasWorker').map((service) => [workerOf(service), service, 'worker'] as const);
  const targets = Object.fromEntries(
    [...api, ...workers].map(([target, service, kind]) => {
      const { hasData: usesStores, callsServices } = services[service];
      return [target, { kind, service, usesStores, callsServices, queues: queuesOf(target) }];
    }),
  );
  // It reads the registry of sites.
  const gateway = { kind: 'api', service: 'gateway', usesStores: true, callsServices: true, queues: [] };
  return format(JSON.stringify({ gateway, ...targets }), { ...(await resolveConfig(path)), filepath: path });
}

/** The JSON Schema of the packages of site transfers. */
async function transferFormat(path: string): Promise<string> {
  const { packageJsonSchema } = await import('@quire/site-package');
  return format(JSON.stringify(packageJsonSchema()), { ...(await resolveConfig(path)), filepath: path });
}

/** The page of environment variables. */
async function variables(): Promise<string> {
  const { variableReference } = await import('@quire/config');
  return `# Environment variables

Generated from \`libs/config/src/env/variables.ts\` by \`npm run docs:variables\`; a test compares the two.

A secret may be in a file instead: \`NAME_FILE\` is its path, for each variable that is marked as a secret, for
\`DATABASE_URL_<KEY>\` and for the variables of login providers.

${variableReference()}
Login providers read variables of their own, named after the provider: [identity](identity.md#login-providers).
`;
}

/** The page of metrics. */
async function metrics(path: string): Promise<string> {
  const { metricReference } = await import('@quire/observability');
  const text = `# Metrics

Generated from \`libs/observability/src/metrics/catalogue.ts\` by \`npm run generate -- metrics\`; a test compares it with
what processes report at \`/metrics\`.

- **Shared** values describe a queue or a table, and each process that can read it reports the same: use \`max\`, not
  \`sum\`.
- **Sites** are not a label, because series would grow with them. The busiest sites are in
  \`quire_tenant_requests_per_second\`.
- **Also:** each process has the metrics of Node.js (\`process_*\`, \`nodejs_*\`).

${metricReference()}
`;
  return format(text, { ...(await resolveConfig(path)), filepath: path });
}

/** `npm run generate`. @throws UserFacingError on an unknown name */
export async function run({ root, args }: CommandOptions): Promise<number> {
  const { values, positionals } = parseCommandLine('npm run generate', {
    args,
    allowPositionals: true,
    options: {
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  let code = 0;
  for (const name of positionals.length > 0 ? positionals : Object.keys(files)) {
    const file = files[name];
    if (!file)
      throw new UserFacingError(
        `No such file: ${name}. There are: ${Object.keys(files).join(', ')}: see npm run generate -- --help.`,
      );
    const path = join(root, file.path);
    const text = await file.text(path);
    if (readFileSync(path, 'utf8') === text) continue;
    if (values.check) {
      console.error(`${file.path} is not current: npm run generate -- ${name}`);
      code = 1;
    } else {
      writeFileSync(path, text);
      console.log(`${file.path} is written`);
    }
  }
  return code;
}
