import { describe, expect, it } from '@jest/globals';
import type { CommanderError } from 'commander';
import { createProgram } from './program.js';

/** Parses a command line without an installation. */
async function parse(...args: string[]) {
  const output = { stdout: '', stderr: '' };
  let hasRun = false;
  const program = createProgram(() => Promise.resolve(void (hasRun = true)));
  const configure = (command: typeof program): void => {
    command.configureOutput({
      writeOut: (text) => (output.stdout += text),
      writeErr: (text) => (output.stderr += text),
    });
    command.commands.forEach(configure);
  };
  configure(program);
  const error = await program.parseAsync(args, { from: 'user' }).then(
    () => undefined,
    (thrown: unknown) => thrown as CommanderError,
  );
  return { ...output, hasRun, exitCode: error?.exitCode };
}

describe('cms', () => {
  it('prints every command with --help', async () => {
    const { stdout, stderr, exitCode, hasRun } = await parse('--help');
    expect([stderr, exitCode, hasRun]).toEqual(['', 0, false]);
    expect(
      [...stdout.matchAll(/^ {2}([a-z]\S*(?: [a-z]\S*)*) \[options\]/gm)].map(([, name]) => name),
    ).toEqual([
      'token create',
      'login-link',
      'setup-link',
      'preview-key',
      'image-key',
      'internal-keys',
      'tenant create',
      'tenant add-host',
      'tenant remove-host',
      'tenant hosts',
      'tenant list',
      'tenant suspend',
      'tenant resume',
      'tenant rename',
      'tenant show',
      'tenant delete',
      'tenant restore',
      'tenant purge',
      'tenant limit',
      'tenant configure',
      'tenant move',
      'audit verify',
      'audit export',
      'queue list',
      'queue top',
      'queue failed',
      'queue retry',
      'queue drop',
      'queue pause',
      'queue resume',
      'outbox list',
      'outbox retry',
      'outbox drop',
      'backlog',
      'operator token create',
      'operator token list',
      'operator token revoke',
      'operator log',
      'import',
      'import undo',
      'migrate',
      'backup create',
      'backup verify',
      'restore',
      'reconcile',
      'openapi',
      'login',
      'whoami',
      'logout',
      'site export',
      'site import',
      'site abandon',
    ]);
  });

  it('prints arguments and options of a command with --help', async () => {
    const { stdout, exitCode } = await parse('tenant', 'create', '--help');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Usage: cms tenant create [options] [id]');
    for (const option of ['--host <host>', '--database <key>', '--from <file>'])
      expect(stdout).toContain(option);
  });

  it.each([
    ['an unknown command', ['tenants'], "error: unknown command 'tenants'\n"],
    ['an unknown command of a group', ['tenant', 'add'], "error: unknown command 'add'\n"],
    ['an unknown option', ['migrate', '--force'], "error: unknown option '--force'\n"],
    ['a missing argument', ['tenant', 'hosts'], "error: missing required argument 'id'\n"],
    ['a missing option', ['token', 'create'], "error: required option '--role <role>' not specified\n"],
    ['a missing queue', ['queue', 'pause'], "error: missing required argument 'queue'\n"],
    ['a missing value', ['image-key', '--tenant'], "error: option '--tenant <id>' argument missing\n"],
  ])('prints one line and exits with 1 for %s', async (_, args, stderr) => {
    expect(await parse(...args)).toEqual({ stdout: '', stderr, hasRun: false, exitCode: 1 });
  });

  it('runs a command with all its options', async () => {
    const args = ['token', 'create', '--role', 'admin', '--scope', 'a', '--scope=b', '--tenant', 't'];
    expect(await parse(...args)).toEqual({ stdout: '', stderr: '', hasRun: true, exitCode: undefined });
  });
});
