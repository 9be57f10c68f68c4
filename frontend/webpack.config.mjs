import { fileURLToPath } from 'node:url';
import { constants as zlib } from 'node:zlib';
import CompressionPlugin from 'compression-webpack-plugin';
import CssMinimizerPlugin from 'css-minimizer-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import MinimizerPlugin from 'minimizer-webpack-plugin';
import webpack from 'webpack';
import { buildDir, distDir } from './scripts/paths.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** What visitors' pages load. */
const entries = {
  site: './src/entries/site.tsx',
  // Counts views without React, and the ads pixel's frame: see their first lines.
  tracking: './src/entries/tracking.ts',
  pixel: './src/entries/pixel.ts',
  planter: './src/entries/planter.ts',
  // Only stylesheets: these pages have one inline besides the one of all pages.
  'drawings-css': './src/site/features/drawings/drawings.css',
  'claim-css': './src/site/features/claim/claim.css',
  'your-entry-css': './src/site/features/success/yourEntry/yourEntry.css',
};

const resolve = { extensions: ['.tsx', '.ts', '.js'] };

const transpile = (targets) => ({
  test: /\.tsx?$/,
  loader: 'swc-loader',
  options: {
    env: targets,
    jsc: {
      parser: { syntax: 'typescript', tsx: true },
      transform: { react: { runtime: 'automatic' } },
    },
  },
});

const browser = { path: here('.'), bugfixes: true };
const minimize = (options) =>
  new MinimizerPlugin({
    minify: MinimizerPlugin.swcMinify,
    minimizerOptions: { compress: { passes: 3 }, ecma: 2020 },
    extractComments: false,
    ...options,
  });

const compressed = (test) => [
  new CompressionPlugin({ test, algorithm: 'gzip', minRatio: 1, threshold: 0 }),
  new CompressionPlugin({
    test,
    algorithm: 'brotliCompress',
    compressionOptions: { params: { [zlib.BROTLI_PARAM_QUALITY]: 11 } },
    filename: '[path][base].br',
    minRatio: 1,
    threshold: 0,
  }),
];

/** A client: hashed files in dist/assets, and one stylesheet. Nothing is shared between two of them. */
const client = ({
  name,
  entry,
  chunks,
  output = {},
  plugins,
  dependencies = [],
  splitChunks = false, // one file for each name: pages name the files that they need
}) => ({
  name,
  dependencies,
  entry,
  output: {
    path: distDir,
    publicPath: '/',
    filename: 'assets/[name].[contenthash:10].js',
    chunkFilename: `assets/${chunks}.[contenthash:10].js`,
    assetModuleFilename: 'assets/[name].[contenthash:10][ext]',
    uniqueName: name,
    ...output,
  },
  resolve,
  module: {
    rules: [
      transpile(browser),
      { test: /\.css$/, use: [MiniCssExtractPlugin.loader, 'css-loader'] },
      {
        test: /\.woff2$/,
        type: 'asset/resource',
        use: here('scripts/subset-font-loader.mjs'),
      },
    ],
  },
  optimization: {
    splitChunks,
    minimizer: [
      minimize(),
      new CssMinimizerPlugin({ minify: CssMinimizerPlugin.lightningCssMinify }),
    ],
  },
  plugins: [
    new MiniCssExtractPlugin({ filename: 'assets/[name].[contenthash:10].css' }),
    ...plugins,
  ],
  performance: { hints: false }, // the byte gates (npm run gates) are stricter, and measure brotli
  stats: 'errors-warnings',
});

/** The visitors' pages; prerendering inlines their stylesheet. */
const site = client({
  name: 'site',
  entry: entries,
  chunks: '[name]',
  output: { clean: true },
  plugins: compressed(/\.(js|svg)$/),
  // Redux and RTK Query: a file that success and drawings pages share, and sign-up pages do without.
  splitChunks: {
    cacheGroups: {
      default: false,
      defaultVendors: false,
      store: {
        test: /node_modules[\\/](@reduxjs|@standard-schema|immer|react-redux|redux|redux-thunk|reselect|use-sync-external-store)[\\/]/,
        name: 'store',
        chunks: 'async',
        enforce: true,
      },
    },
  },
});

/** The console of staff. It comes after the site, which empties the folder. */
const admin = client({
  name: 'admin',
  entry: { admin: './src/entries/admin.tsx' },
  chunks: 'admin-[name]',
  plugins: compressed(/\.(js|css)$/),
  dependencies: ['site'],
  // Rules of forms are files of their own; what they are written with is in one that all of them need.
  splitChunks: {
    cacheGroups: {
      default: false,
      defaultVendors: false,
      yup: {
        test: /node_modules[\\/](yup|property-expr|tiny-case|toposort)[\\/]/,
        name: 'yup',
        chunks: 'async',
        enforce: true,
      },
    },
  },
});

/** The scripts of which one stands inline in every interactive page, before React is there. */
const boot = {
  name: 'boot',
  entry: {
    boot: './src/entries/boot.ts',
    'success-boot': './src/entries/successBoot.ts',
    'way-back': './src/entries/wayBack.ts',
  },
  output: { path: buildDir, filename: '[name].js', iife: true },
  resolve,
  module: { rules: [transpile(browser)] },
  optimization: { minimizer: [minimize()] },
  // What is asked for the build's sake is known here.
  plugins: [new webpack.DefinePlugin({ 'typeof document': JSON.stringify('object') })],
  stats: 'errors-warnings',
};

/** The service worker stands at the top, so that its scope is the whole site. It comes after the site, which empties the folder. */
const pushWorker = {
  name: 'push-worker',
  dependencies: ['site'],
  entry: { 'push-worker': './src/entries/pushWorker.ts' },
  output: { path: distDir, filename: '[name].js', iife: true },
  resolve,
  module: { rules: [transpile(browser)] },
  optimization: { minimizer: [minimize()] },
  plugins: compressed(/\.js$/),
  stats: 'errors-warnings',
};

/**
 * A module of its own, which the tracking script imports by its address: so that script, which loads on every page, carries no
 * loader of webpack's.
 */
const ads = {
  name: 'ads',
  dependencies: ['site'],
  entry: { ads: './src/site/features/tracking/ads.ts' },
  output: {
    path: distDir,
    filename: 'assets/[name].[contenthash:10].js',
    module: true,
    library: { type: 'module' },
  },
  experiments: { outputModule: true },
  resolve,
  module: { rules: [transpile(browser)] },
  optimization: {
    minimizer: [
      minimize({ minimizerOptions: { compress: { passes: 3 }, ecma: 2020, module: true } }),
    ],
  },
  plugins: compressed(/\.js$/),
  stats: 'errors-warnings',
};

/** The pages as a node program, which scripts/prerender.mjs runs. */
const prerender = {
  name: 'prerender',
  target: 'node20',
  entry: { prerender: './src/entries/prerender.tsx' },
  output: { path: buildDir, filename: '[name].cjs', library: { type: 'commonjs2' } },
  resolve,
  module: { rules: [transpile({ targets: { node: '20' } })] },
  optimization: { minimize: false, splitChunks: false },
  stats: 'errors-warnings',
};

export default [site, admin, boot, pushWorker, ads, prerender];
