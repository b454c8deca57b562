import { mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { UserFacingError } from '../../prepare/user-facing-error.mjs';
import { baseCommit } from '../checks/base-commit.js';
import { execute } from '../checks/execute.js';

/** The programs of an earlier version. */
export interface BaseBuild {
  commit: string;
  /** Its repository, with built programs. */
  folder: string;
}

/** The scope of the packages of this repository. */
const ownScope = '@quire';

/**
 * Builds the base commit of this work: the version that the present one replaces. It uses the installed packages.
 * @param folder a folder that does not exist
 * @throws UserFacingError when there is no base commit, or it cannot be built
 */
export async function buildBaseCommit({
  root,
  folder,
}: {
  root: string;
  folder: string;
}): Promise<BaseBuild> {
  const base = await baseCommit();
  if (base.failure !== undefined) throw new UserFacingError(base.failure);
  if (base.commit === undefined) throw new UserFacingError(base.reason);
  const { commit } = base;
  await mkdir(folder, { recursive: true });
  const archive = `${folder}.tar`;
  await must('git', ['archive', '--format=tar', '-o', archive, commit], root);
  await must('tar', ['-xf', archive, '-C', folder], root);
  await linkPackages(join(root, 'node_modules'), join(folder, 'node_modules'));
  const nx = join(root, 'node_modules', 'nx', 'dist', 'bin', 'nx.js');
  await must(process.execPath, [nx, 'run-many', '-t', 'build', '-p', '@quire/standalone'], folder);
  return { commit, folder };
}

/** Links installed packages. Those of the repository lead to the folder's own. */
async function linkPackages(installed: string, target: string): Promise<void> {
  await mkdir(join(target, ownScope), { recursive: true });
  for (const name of await readdir(installed))
    if (name !== ownScope && name !== '.cache') await symlink(join(installed, name), join(target, name));
  for (const name of await readdir(join(installed, ownScope)))
    await symlink(await readlink(join(installed, ownScope, name)), join(target, ownScope, name));
}

async function must(command: string, args: string[], cwd: string): Promise<void> {
  const { code, output } = await execute(command, args, { cwd });
  if (code !== 0)
    throw new UserFacingError(`${command} ${args.join(' ')} failed: ${output.trim().slice(-2_000)}`);
}
