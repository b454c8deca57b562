import { runCommand, type Site } from '@quire/testing';

async function run(site: Site, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(site, args);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

/** Sets settings of the site, as `locales=["de"]`. The gateway applies them within a moment. */
export const configure = (site: Site, ...assignments: string[]) =>
  run(site, ['tenant', 'configure', site.tenant, ...assignments.flatMap((each) => ['--set', each])]);

/** Sets limits of the site, as `entries=5`. The gateway applies them within a moment. */
export const limit = (site: Site, ...limits: string[]) =>
  run(site, ['tenant', 'limit', site.tenant, ...limits]);
