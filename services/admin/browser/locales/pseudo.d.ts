/** A catalogue whose texts are the pseudo-locale's. */
declare module '*.json?pseudo' {
  const messages: object;
  export default messages;
}
