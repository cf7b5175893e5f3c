//! Bars as inline SVG, each with a title to hover over, and the same numbers as tables.

use super::buckets::{Bar, Counts, Days};
use super::escape::text;
use crate::audit::Summary;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 190.0;
const LEFT: f64 = 34.0;
const BOTTOM: f64 = 24.0;
const TOP: f64 = 8.0;

/// A part of a stacked bar: its class, its name, and how much it is of a bar.
struct Part<'a> {
    class: String,
    name: String,
    of: Box<dyn Fn(&Counts) -> usize + 'a>,
}

pub fn over_time(days: &Days) -> String {
    let (width, bars) = days.bars();
    if bars.is_empty() {
        return String::new();
    }
    let verdicts = [
        Part { class: "block".to_owned(), name: "blocked".to_owned(), of: Box::new(|counts| counts.blocked) },
        Part {
            class: "warn".to_owned(),
            name: "warned about".to_owned(),
            of: Box::new(|counts| counts.warned),
        },
    ];
    let mut names: Vec<&String> = bars.iter().flat_map(|(_, counts)| counts.types.keys()).collect();
    names.sort();
    names.dedup();
    let part = |name: &String| {
        let wanted = name.clone();
        Part {
            class: format!("type-{name}"),
            name: name.replace('_', " "),
            of: Box::new(move |counts: &Counts| counts.types.get(&wanted).copied().unwrap_or(0)),
        }
    };
    let types: Vec<Part<'_>> = names.into_iter().map(part).collect();
    let mut out = section("Verdicts over time", width, &bars, &verdicts);
    if !types.is_empty() {
        out.push_str(&section("Types over time", width, &bars, &types));
    }
    out
}

fn section(title: &str, width: &str, bars: &[Bar], parts: &[Part<'_>]) -> String {
    let legend = |part: &Part<'_>| {
        format!("<li><span class=\"key {}\"></span>{}</li>", text(&part.class), text(&part.name))
    };
    let legend: String = parts.iter().map(legend).collect();
    format!(
        "<section><h2>{title}</h2><p class=\"note\">Commits per {width}.</p><ul class=\"legend\">{legend}</ul>\
         <figure>{}</figure>{}</section>\n",
        svg(title, bars, parts),
        table(width, bars, parts)
    )
}

fn svg(title: &str, bars: &[Bar], parts: &[Part<'_>]) -> String {
    let sum = |counts: &Counts| parts.iter().map(|part| (part.of)(counts)).sum::<usize>();
    let most = bars.iter().map(|(_, counts)| sum(counts)).max().unwrap_or(0).max(1);
    let step = nice_step(most);
    let top = most.div_ceil(step) * step;
    let scale = (HEIGHT - TOP - BOTTOM) / top as f64;
    let slot = (WIDTH - LEFT) / bars.len() as f64;
    let wide = (slot * 0.78).min(46.0);
    let mut out = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}: the numbers are in the table below\">"
    );
    for tick in (0..=top).step_by(step) {
        let y = HEIGHT - BOTTOM - tick as f64 * scale;
        out.push_str(&format!(
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{WIDTH}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>",
            LEFT - 6.0,
            y + 4.0
        ));
    }
    let every = bars.len().div_ceil(10);
    for (index, (label, counts)) in bars.iter().enumerate() {
        let x = LEFT + slot * index as f64 + (slot - wide) / 2.0;
        out.push_str(&stack(label, counts, parts, [x, wide, scale]));
        if index % every == 0 {
            out.push_str(&format!(
                "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
                (x + wide / 2.0).clamp(LEFT + 24.0, WIDTH - 32.0),
                HEIGHT - 6.0
            ));
        }
    }
    out + "</svg>"
}

/// One bar, from the bottom up.
fn stack(label: &str, counts: &Counts, parts: &[Part<'_>], [x, wide, scale]: [f64; 3]) -> String {
    let mut out = String::new();
    let mut y = HEIGHT - BOTTOM;
    for part in parts {
        let count = (part.of)(counts);
        if count == 0 {
            continue;
        }
        let high = count as f64 * scale;
        y -= high;
        out.push_str(&format!(
            "<rect class=\"{}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide:.1}\" height=\"{high:.1}\">\
             <title>{label}: {count} of {} {}</title></rect>",
            text(&part.class),
            counts.commits,
            text(&part.name)
        ));
    }
    out
}

/// A step that makes about four lines: 1, 2 or 5 and noughts.
fn nice_step(most: usize) -> usize {
    let wanted = most.div_ceil(4).max(1);
    let tens = std::iter::successors(Some(1_usize), |ten| ten.checked_mul(10));
    tens.flat_map(|ten| [ten, ten.saturating_mul(2), ten.saturating_mul(5)])
        .find(|step| *step >= wanted)
        .unwrap_or(wanted)
}

fn table(width: &str, bars: &[Bar], parts: &[Part<'_>]) -> String {
    let head: String =
        parts.iter().map(|part| format!("<th scope=\"col\">{}</th>", text(&part.name))).collect();
    let row = |(label, counts): &Bar| {
        let cells: String = parts.iter().map(|part| format!("<td>{}</td>", (part.of)(counts))).collect();
        format!("<tr><th scope=\"row\">{label}</th><td>{}</td>{cells}</tr>", counts.commits)
    };
    let rows: String = bars.iter().filter(|(_, counts)| counts.commits > 0).map(row).collect();
    format!(
        "<details class=\"numbers\"><summary>Numbers</summary><table><thead><tr><th scope=\"col\">{width}</th>\
         <th scope=\"col\">commits</th>{head}</tr></thead><tbody>{rows}</tbody></table></details>"
    )
}

pub fn per_rule(summary: &Summary) -> String {
    let rules = summary.rules();
    if rules.is_empty() {
        return String::new();
    }
    let most = rules.iter().map(|(_, count)| count.commits).max().unwrap_or(0).max(1);
    let mut rows = String::new();
    for (name, count) in rules {
        let logged = count.commits.saturating_sub(count.blocked + count.warned + count.accepted);
        rows.push_str(&format!(
            "<tr><th scope=\"row\">{}<small>{}</small></th><td class=\"bar\">{}</td><td>{}</td><td>{}</td>\
             <td>{logged}</td><td>{}</td><td>{}</td><td>{:.1} %</td></tr>\n",
            text(name),
            text(&count.kind.replace('_', " ")),
            bar(most, [("block", count.blocked), ("warn", count.warned), ("log", logged + count.accepted)]),
            count.blocked,
            count.warned,
            count.accepted,
            count.findings,
            summary.share(count.blocked + count.warned)
        ));
    }
    format!(
        "<section><h2>Rules</h2><p class=\"note\">Commits by the worst that each rule had to say. The share is that of \
         commits which it would have blocked or warned about.</p><div class=\"wide\"><table class=\"rules\"><thead><tr>\
         <th scope=\"col\">rule</th><th scope=\"col\"><span class=\"hidden\">bars</span></th><th scope=\"col\">blocked</th>\
         <th scope=\"col\">warned</th><th scope=\"col\">logged</th><th scope=\"col\">waived</th><th scope=\"col\">findings</th><th scope=\"col\">share</th>\
         </tr></thead><tbody>\n{rows}</tbody></table></div></section>\n"
    )
}

/// A bar that lies, its parts side by side.
fn bar(most: usize, parts: [(&str, usize); 3]) -> String {
    let mut out = "<svg viewBox=\"0 0 300 14\" preserveAspectRatio=\"none\" aria-hidden=\"true\">".to_owned();
    let mut x = 0.0;
    for (class, count) in parts {
        let wide = 300.0 * count as f64 / most as f64;
        out.push_str(&format!(
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"0\" width=\"{wide:.1}\" height=\"14\"/>"
        ));
        x += wide;
    }
    out + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::nice_step;

    #[test]
    fn lines_stand_at_round_numbers() {
        let steps: Vec<usize> = [0, 1, 4, 5, 9, 40, 41, 300, 4321].into_iter().map(nice_step).collect();
        assert_eq!(steps, [1, 1, 1, 2, 5, 10, 20, 100, 2000]);
        assert!(nice_step(usize::MAX) > 0);
    }
}
