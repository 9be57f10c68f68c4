import { fileURLToPath } from 'node:url';
import { constants as zlib } from 'node:zlib';
import CompressionPlugin from 'compression-webpack-plugin';
import CssMinimizerPlugin from 'css-minimizer-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import MinimizerPlugin from 'minimizer-webpack-plugin';
import webpack from 'webpack';
import { buildDir, distDir } from './scripts/paths.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Pages that people visit. Another application (a console, say) is one more line here. */
const entries = {
  site: './src/entries/site.tsx',
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

/** The client: hashed files in dist/assets, and the one stylesheet that prerendering inlines. */
const site = {
  name: 'site',
  entry: entries,
  output: {
    path: distDir,
    publicPath: '/',
    filename: 'assets/[name].[contenthash:10].js',
    chunkFilename: 'assets/[name].[contenthash:10].js',
    assetModuleFilename: 'assets/[name].[contenthash:10][ext]',
    clean: true,
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
    splitChunks: false, // one file for each name: pages name the files that they need
    minimizer: [
      minimize(),
      new CssMinimizerPlugin({ minify: CssMinimizerPlugin.lightningCssMinify }),
    ],
  },
  plugins: [
    // Scenes are prerendered; the browser keeps the one on the page (src/shared/ui/Drawing.tsx).
    new webpack.NormalModuleReplacementPlugin(/^\.\/Scene$/, here('src/shared/ui/NoScene.tsx')),
    new MiniCssExtractPlugin({ filename: 'assets/[name].[contenthash:10].css' }),
    new CompressionPlugin({ test: /\.(js|svg)$/, algorithm: 'gzip', minRatio: 1, threshold: 0 }),
    new CompressionPlugin({
      test: /\.(js|svg)$/,
      algorithm: 'brotliCompress',
      compressionOptions: { params: { [zlib.BROTLI_PARAM_QUALITY]: 11 } },
      filename: '[path][base].br',
      minRatio: 1,
      threshold: 0,
    }),
  ],
  performance: { hints: false }, // the byte gates (npm run gates) are stricter, and measure brotli
  stats: 'errors-warnings',
};

/** The script that stands inline in every interactive page, before React is there. */
const boot = {
  name: 'boot',
  entry: { boot: './src/entries/boot.ts' },
  output: { path: buildDir, filename: '[name].js', iife: true },
  resolve,
  module: { rules: [transpile(browser)] },
  optimization: { minimizer: [minimize()] },
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

export default [site, boot, prerender];
