// `npm run dev`: the pages of a running server, with this client in place of the built one. A change shows at once, and what is
// typed stays. What the built pages have inline or run without React (prerendered HTML, src/entries/boot.ts, tracking) stays the
// server's, until `npm run build`.
import ReactRefreshPlugin from '@pmmmwh/react-refresh-webpack-plugin';
import CompressionPlugin from 'compression-webpack-plugin';
import { responseInterceptor } from 'http-proxy-middleware';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import configs from './webpack.config.mjs';

const target = process.env.TOMBOLA_ORIGIN ?? 'http://127.0.0.1:8080';
const port = Number(process.env.DEV_PORT ?? 8081);

const withoutReact = ['tracking', 'ads', 'pixel', 'planter'];
/** The pages that have a stylesheet besides the one of all pages. */
const stylesheets = {
  'drawings-css': /^\/drawings/,
  'claim-css': /^\/claim\//,
  'your-entry-css': /\/your-entry$/,
};

/** One of the built clients with plain file names and hot reload. */
function development(config) {
  const [transpile, ...rules] = config.module.rules;
  const { options } = transpile;
  const react = { runtime: 'automatic', development: true, refresh: true };
  const withName = (name) => name.replace('.[contenthash:10]', '');
  const { path, publicPath, filename, chunkFilename, assetModuleFilename, uniqueName } =
    config.output;
  return {
    ...config,
    mode: 'development',
    devtool: 'cheap-module-source-map',
    dependencies: [],
    output: {
      ...{ path, publicPath, assetModuleFilename },
      uniqueName: `${uniqueName}-development`, // built scripts stand on the same pages
      filename: withName(filename),
      chunkFilename: withName(chunkFilename),
    },
    module: {
      rules: [
        { ...transpile, options: { ...options, jsc: { ...options.jsc, transform: { react } } } },
        ...rules,
      ],
    },
    plugins: [
      ...config.plugins.filter(
        (plugin) =>
          !(plugin instanceof CompressionPlugin || plugin instanceof MiniCssExtractPlugin),
      ),
      new MiniCssExtractPlugin({ filename: 'assets/[name].css' }),
      new ReactRefreshPlugin({ overlay: false }),
    ],
  };
}

/** A page of the server, with the files of this client. */
function swap(html, path) {
  const own = Object.keys(stylesheets).filter((name) => stylesheets[name].test(path));
  const links = ['site', ...own].map(
    (name) => `<link rel="stylesheet" href="/assets/${name}.css">`,
  );
  const scripts = ['runtime', ...own].map((name) => `/assets/${name}.js`).join(' ');
  return html
    .replace(/\/assets\/([a-z-]+)\.[0-9a-f]{10}\.(js|css)/g, (built, name, type) =>
      withoutReact.includes(name) ? built : `/assets/${name}.${type}`,
    )
    .replace(/<style>.*?<\/style>/s, links.join(''))
    .replace('data-scripts="', `data-scripts="${scripts} `);
}

const isPage = ({ method, headers }) =>
  method === 'GET' && headers.accept?.includes('text/html') === true;

const toServer = { target, changeOrigin: true, autoRewrite: true };

const [site, admin] = configs.slice(0, 2).map(development);
const entry = Object.fromEntries(
  Object.entries(site.entry).filter(([name]) => !withoutReact.includes(name)),
);

export default [
  {
    ...site,
    entry,
    optimization: { ...site.optimization, runtimeChunk: 'single' }, // one for the files of a page
    devServer: {
      host: '127.0.0.1',
      port,
      hot: true,
      client: { overlay: { runtimeErrors: false, warnings: false } },
      devMiddleware: { index: false },
      static: false,
      proxy: [
        {
          ...toServer,
          context: (_, request) => isPage(request),
          selfHandleResponse: true,
          onProxyRes: responseInterceptor((body, answer, request, response) => {
            // It allows the built files only, and not the connection that tells of changes.
            response.removeHeader('content-security-policy');
            if (!answer.headers['content-type']?.startsWith('text/html')) return body;
            return swap(body.toString(), new URL(request.url, target).pathname);
          }),
        },
        { ...toServer, context: () => true },
      ],
    },
  },
  admin,
];
