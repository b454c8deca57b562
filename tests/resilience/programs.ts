import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { apiTargets, variableName, workerTargets } from '@quire/topology';

/** Ports of a process that serves requests. */
export interface Ports {
  port: number;
  opsPort: number;
}

/** Processes of one version: one serves, one works. */
export interface RunningPrograms {
  /** Stops them gracefully. */
  stop(): Promise<void>;
}

/** The built programs of a version, which run with the same variables. */
export class Programs {
  private readonly folder: string;

  /** @param repository the folder of the repository in which they were built */
  constructor(
    repository: string,
    private readonly variables: Readonly<Record<string, string>>,
  ) {
    this.folder = join(repository, 'services/standalone/dist/bundle');
  }

  /** Runs a command. @returns what it prints @throws Error when it fails */
  async cms(...args: string[]): Promise<string> {
    const child = spawn(process.execPath, [join(this.folder, 'cms.js'), ...args], {
      env: this.variables,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [output, errors, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number]>,
    ]);
    if (code !== 0) throw new Error(`cms ${args.join(' ')}: ${errors}`);
    return output.trim();
  }

  /** Starts all targets as `npm start` does: those that serve in one process, the workers in another. */
  async start(ports: Ports): Promise<RunningPrograms> {
    const address = `http://127.0.0.1:${ports.port}`;
    const addresses = Object.fromEntries(apiTargets.map((target) => [variableName(target, 'URL'), address]));
    const children = await Promise.all([
      this.startTargets(apiTargets, { ...addresses, ...portsOf(ports) }),
      this.startTargets(workerTargets, { ...addresses, ...portsOf({ port: 0, opsPort: 0 }) }),
    ]);
    return {
      async stop() {
        await Promise.all(children.map(stop));
      },
    };
  }

  private async startTargets(targets: readonly string[], more: NodeJS.ProcessEnv): Promise<ChildProcess> {
    const child = spawn(process.execPath, [join(this.folder, 'main.js'), '--target', targets.join(',')], {
      env: { ...this.variables, ...more },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const [message] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => [{ type: 'failed', message: 'the process exited' }]),
    ])) as [{ type: string; message?: string }];
    if (message.type !== 'ready') throw new Error(`The process did not start: ${message.message}`);
    return child;
  }
}

const portsOf = ({ port, opsPort }: Ports) => ({ PORT: String(port), CMS_OPS_PORT: String(opsPort) });

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
