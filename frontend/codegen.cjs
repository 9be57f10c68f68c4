/** The client's calls and types, made from the server's own description of itself. */
module.exports = {
  schemaFile: process.env.OPENAPI_FILE ?? '../docs/openapi.json',
  apiFile: './src/shared/api/baseApi.ts',
  apiImport: 'baseApi',
  outputFile: process.env.CODEGEN_OUTPUT ?? './src/shared/api/generated.ts',
  exportName: 'api',
  hooks: true,
  encodePathParams: true,
  // Staff's calls stay out of what visitors download.
  filterEndpoints: (_name, { path }) => path.startsWith('/api/users'),
};
