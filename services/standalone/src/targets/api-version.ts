/** Version of the API in the OpenAPI document and the manifest (contract 37). */
export const apiVersion = '0.1.0';
