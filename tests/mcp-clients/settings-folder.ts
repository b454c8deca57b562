import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useFixture } from '@quire/testing';

/** Registers hooks that create a folder for the settings of programs, and delete it. */
export const useSettingsFolder = (): { home: string } =>
  useFixture(async () => {
    const home = await mkdtemp(join(tmpdir(), 'quire-mcp-clients-'));
    return { home, close: () => rm(home, { recursive: true, force: true }) };
  });
