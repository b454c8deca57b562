/** Functions of Node.js and of packages that modules of the panel import, and that nothing in the browser calls. */
function unavailable(): never {
  throw new Error('This function exists on the server only');
}

export {
  unavailable as createHash,
  unavailable as domainToASCII,
  unavailable as isDeepStrictEqual,
  unavailable as randomFillSync,
  unavailable as randomUUID,
};

/** The exports of a package. */
export default { visit: unavailable };
