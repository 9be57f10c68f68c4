import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { FunnelBars } from './FunnelBars';
import { LineChart } from './LineChart';
import { labelled, short, ticksUpTo } from './scale';
import { series } from './series';

describe('an axis', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [7, [0, 2, 4, 6, 8]],
    [100, [0, 50, 100]],
    [1_234, [0, 500, 1_000, 1_500]],
    [9_999_999, [0, 5_000_000, 10_000_000]],
  ])('up to %d has round steps', (largest, ticks) => {
    expect(ticksUpTo(largest)).toEqual(ticks);
  });

  it('writes great numbers in short', () => {
    expect([0, 950, 1_500, 12_000, 10_000_000].map(short)).toEqual([
      '0',
      '950',
      '1.5K',
      '12K',
      '10M',
    ]);
  });

  it('labels the last point, and others as far as there is room', () => {
    expect(labelled(30, 4)).toEqual([5, 13, 21, 29]);
    expect(labelled(1, 4)).toEqual([0]);
    expect(labelled(3, 0.5)).toEqual([2]);
  });
});

describe('lines', () => {
  it('differ by dash and by marker, not only by hue', () => {
    expect(new Set(series.map(({ dash }) => dash)).size).toBe(series.length);
    expect(new Set(series.map(({ marker }) => marker)).size).toBe(series.length);
  });

  it('are drawn with a single point too', () => {
    render(
      <LineChart
        title="Views"
        summary="One view."
        span="Nov 21"
        lines={[{ name: 'Garden Bag', values: [1] }]}
        points={[{ short: 'Nov 21', full: 'Sat, Nov 21, 2026' }]}
      />,
    );
    const chart = screen.getByRole('figure', { name: 'Views' });
    expect(chart.innerHTML).not.toContain('NaN');
    expect(within(chart).getByText('Garden Bag').nextSibling).toHaveTextContent('1');
  });
});

describe('a funnel', () => {
  it('without any people shows no NaN', async () => {
    render(
      <FunnelBars
        title="Steps"
        summary="Nobody came."
        steps={[{ name: 'Page View', count: 0, exits: 0 }]}
      />,
    );
    expect(document.body.innerHTML).not.toContain('NaN');
    await userEvent.click(screen.getByRole('button', { name: /^Show as table/ }));
    expect(screen.getByRole('table')).toHaveTextContent('0.0%');
  });
});
