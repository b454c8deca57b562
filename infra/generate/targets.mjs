import { format, resolveConfig } from 'prettier';
import { apiTargets, workerTargets } from '../../libs/topology/dist/index.js';

/** The list of targets for scripts that run before anything is built. */
export async function targets(path) {
  const lists = { api: apiTargets, worker: workerTargets };
  return format(JSON.stringify(lists), { ...(await resolveConfig(path)), filepath: path });
}
