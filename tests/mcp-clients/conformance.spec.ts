import { beforeAll, describe, expect, it } from '@jest/globals';
import { useFixture, useSite } from '@quire/testing';
import { openAuthorizationProxy } from './authorization-proxy.js';
import { runConformance } from './conformance.js';
import { outputOf } from './run-program.js';
import { useSettingsFolder } from './settings-folder.js';
import { addContent } from './site-with-content.js';

const site = useSite();
// The suite cannot send a token.
const proxy = useFixture(async () =>
  openAuthorizationProxy(site, (await site.withScopes('editor', ['content:read'])).token),
);
const settings = useSettingsFolder();
beforeAll(() => addContent(site));

/** The scenarios that need no prompts, resources, or tools of the suite. */
const scenarios: readonly [revision: string, scenarios: readonly string[]][] = [
  ['2025-06-18', ['server-initialize', 'ping', 'tools-list', 'server-session-lifecycle']],
  [
    '2025-11-25',
    ['server-initialize', 'ping', 'tools-list', 'server-session-lifecycle', 'dns-rebinding-protection'],
  ],
  [
    '2026-07-28',
    ['server-stateless', 'http-header-validation', 'caching', 'tools-list', 'dns-rebinding-protection'],
  ],
];

describe.each(scenarios)('revision %s of the protocol', (revision, names) => {
  it.each(names)('passes the scenario %s of the conformance suite', async (scenario) => {
    const args = ['server', '--url', proxy.url, '--scenario', scenario, '--spec-version', revision];
    const baseline = ['--expected-failures', 'conformance-baseline.yml'];
    const result = await runConformance([...args, ...baseline], settings);
    expect({ code: result.code, output: result.code === 0 ? '' : outputOf(result) }).toEqual({
      code: 0,
      output: '',
    });
  });
});
