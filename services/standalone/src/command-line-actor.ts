import { userInfo } from 'node:os';

/** The actor of commands in the log of operators. */
export const commandLineActor = () => `cli:${userInfo().username}`;
