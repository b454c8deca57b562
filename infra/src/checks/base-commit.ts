import { execute } from './execute.js';

export type BaseCommit =
  | { commit: string; failure?: undefined }
  | { failure: string }
  | { reason: string; commit?: undefined; failure?: undefined };

/** The fork point of a branch from main; on main the commit before HEAD. */
export async function baseCommit(): Promise<BaseCommit> {
  const git = async (...args: string[]) => {
    const { code, output } = await execute('git', args);
    return code === 0 ? output.trim() : undefined;
  };
  const checkout = await execute('git', ['rev-parse', '--git-dir']);
  if (checkout.code !== 0) return { failure: `git does not know what to compare with: ${checkout.output}` };
  const head = await git('rev-parse', '--verify', '--quiet', 'HEAD');
  if (!head) return { reason: 'there is no commit yet, so no base' };
  for (const main of ['main', 'origin/main']) {
    const fork = await git('merge-base', main, 'HEAD');
    if (fork && fork !== head) return { commit: fork };
  }
  const before = await git('rev-parse', '--verify', '--quiet', 'HEAD~1');
  if (before) return { commit: before };
  if ((await git('rev-parse', '--is-shallow-repository')) === 'true')
    return {
      failure: 'the checkout is shallow: fetch the commit before HEAD, or main, to compare with\n',
    };
  return { reason: 'HEAD is the first commit, so there is no base' };
}
