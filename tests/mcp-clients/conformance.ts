import { runProgram, type ProgramResult } from './run-program.js';

/** Runs the official conformance suite of the protocol. */
export const runConformance = (
  args: readonly string[],
  options: Parameters<typeof runProgram>[1],
): Promise<ProgramResult> =>
  runProgram(
    [
      '--import',
      './fs-glob-loader.mjs',
      'node_modules/@modelcontextprotocol/conformance/dist/index.js',
      ...args,
    ],
    options,
  );
