/** The host in the addresses of the files that the benchmark downloads. */
export const sourceHost = 'source.bench.example';
