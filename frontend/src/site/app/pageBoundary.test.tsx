import { render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PageBoundary } from './PageBoundary';

function Broken(): never {
  throw new TypeError('x is not a function');
}

describe('a page that breaks', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('says what to do, keeps the links, and is logged', () => {
    const log = vi.spyOn(console, 'error').mockReturnValue(undefined);
    render(
      <PageBoundary>
        <Broken />
      </PageBoundary>,
    );
    expect(screen.getByRole('heading', { name: 'Something went wrong' })).toBeInTheDocument();
    expect(screen.getByText(/Reload it and try again/)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Reload the page' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Contact Us' })).toHaveAttribute('href', '/contact');
    expect(log).toHaveBeenCalled();
  });

  it('is what it is while nothing breaks', () => {
    render(
      <PageBoundary>
        <p>Here</p>
      </PageBoundary>,
    );
    expect(screen.getByText('Here')).toBeInTheDocument();
  });
});
