import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FixtureWorkspace } from './fixture-workspace.js';

describe('npm run check:cycles', () => {
  let workspace: FixtureWorkspace;
  const cycles = () => workspace.run('npm run --silent check:cycles');

  beforeEach(() => {
    workspace = new FixtureWorkspace();
  });
  afterEach(() => workspace.remove());

  it('passes a workspace without a cycle', async () => {
    workspace.write('libs/errors/src/index.ts', "export { one } from './one.js';\n");
    workspace.write('libs/errors/src/one.ts', 'export const one = 1;\n');
    expect((await cycles()).code).toBe(0);
  });

  it('rejects two files that import each other', async () => {
    workspace.write(
      'services/alpha/src/one.ts',
      "import { two } from './two.js';\nexport const one = () => two;\n",
    );
    workspace.write(
      'services/alpha/src/two.ts',
      "import { one } from './one.js';\nexport const two = () => one;\n",
    );
    const { code, output } = await cycles();
    expect(code).toBe(1);
    expect(output).toMatch(/services\/alpha\/src\/(one|two)\.ts -> services\/alpha\/src\/(one|two)\.ts/);
  });

  it('rejects a cycle of packages', async () => {
    workspace.write(
      'libs/errors/src/index.ts',
      "import { two } from '@quire/config';\nexport const one = () => two;\n",
    );
    workspace.write(
      'libs/config/src/index.ts',
      "import { one } from '@quire/errors';\nexport const two = () => one;\n",
    );
    expect((await cycles()).code).toBe(1);
  });

  it('rejects two files that import each other for types alone', async () => {
    workspace.write(
      'libs/errors/src/one.ts',
      "import type { Two } from './two.js';\nexport type One = Two;\nexport const one = 1;\n",
    );
    workspace.write(
      'libs/errors/src/two.ts',
      "import { one } from './one.js';\nexport type Two = number;\nexport const two = one;\n",
    );
    expect((await cycles()).code).toBe(1);
  });

  it('fails when there is nothing to check', async () => {
    await workspace.run('rm -r libs services');
    expect((await cycles()).code).not.toBe(0);
  });
});
