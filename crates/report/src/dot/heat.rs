//! Maps frequencies to colours and widths.
//!
//! The scale is logarithmic: the distance of two frequencies on the scale depends only on their ratio. Colours range
//! from light yellow to dark red. Hotter colours are darker, so the order of the colours is also visible in grey print
//! and for colour-blind readers. The colours are interpolated from the nine colours of Cynthia Brewer's sequential
//! scheme YlOrRd (ColorBrewer).

use bpa_profile::bfi::Scaled;

/// The colours from cold to hot, with 8 bits each for red, green and blue.
const COLOURS: [[u8; 3]; 9] = [
    [0xff, 0xff, 0xcc],
    [0xff, 0xed, 0xa0],
    [0xfe, 0xd9, 0x76],
    [0xfe, 0xb2, 0x4c],
    [0xfd, 0x8d, 0x3c],
    [0xfc, 0x4e, 0x2a],
    [0xe3, 0x1a, 0x1c],
    [0xbd, 0x00, 0x26],
    [0x80, 0x00, 0x26],
];

/// The range of the scale: 10 doublings of the frequency. Blocks below this range have the coldest colour.
const DOUBLINGS: f64 = 10.0;

/// The minimum of `Heat::top`. At this minimum, blocks that run 32 times as often as the entry have the hottest colour.
/// A block in a loop has this frequency if the loop has LLVM's default of 32 iterations. With this minimum, blocks
/// outside loops are not dark red, and most pictures have the same scale.
const LEAST_TOP: f64 = 5.0;

/// The scale of one picture.
pub(crate) struct Heat {
    /// The binary logarithm of the frequency that has the hottest colour.
    top: f64,
}

impl Heat {
    /// The scale for a function with the block frequencies `frequencies`.
    pub(crate) fn new(frequencies: impl Iterator<Item = Scaled>) -> Self {
        Heat { top: frequencies.map(log2).fold(LEAST_TOP, f64::max) }
    }

    /// A scale whose hot end is the largest of `numbers`.
    pub(crate) fn below(numbers: impl Iterator<Item = Scaled>) -> Self {
        Heat { top: numbers.map(log2).fold(f64::from(i32::MIN), f64::max) }
    }

    /// The position of `frequency` on the scale, from 0 (cold) to 1 (hot).
    fn of(&self, frequency: Scaled) -> f64 {
        ((log2(frequency) - self.top) / DOUBLINGS + 1.0).clamp(0.0, 1.0)
    }

    /// The colour for `frequency`, and a text colour: black or white, whichever has more contrast.
    pub(crate) fn colours(&self, frequency: Scaled) -> (String, &'static str) {
        let colour = mixed(self.of(frequency));
        let [red, green, blue] = colour;
        let ink = if contrast(luminance(colour), 0.0) > contrast(luminance(colour), 1.0) {
            "black"
        } else {
            "white"
        };
        (format!("#{red:02x}{green:02x}{blue:02x}"), ink)
    }

    /// The width of an arrow in points. The width grows with the frequency.
    pub(crate) fn width(&self, frequency: Scaled) -> f64 {
        0.6 + 4.4 * self.of(frequency).powi(2)
    }
}

/// The binary logarithm. The result for 0 is minus infinity.
fn log2(number: Scaled) -> f64 {
    (number.digits() as f64).log2() + f64::from(number.exponent())
}

/// The colour at a position of the scale, from 0 to 1.
fn mixed(place: f64) -> [u8; 3] {
    let place = place * (COLOURS.len() - 1) as f64;
    let below = (place as usize).min(COLOURS.len() - 2);
    let part = place - below as f64;
    std::array::from_fn(|channel| {
        let [from, to] = [below, below + 1].map(|colour| f64::from(COLOURS[colour][channel]));
        (from + (to - from) * part).round() as u8
    })
}

/// The relative luminance of a colour, from 0 to 1, as the Web Content Accessibility Guidelines 2.1 define it.
fn luminance(colour: [u8; 3]) -> f64 {
    let linear = |channel: u8| match f64::from(channel) / 255.0 {
        dark if dark <= 0.04045 => dark / 12.92,
        light => ((light + 0.055) / 1.055).powf(2.4),
    };
    let [red, green, blue] = colour.map(linear);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// The contrast of two luminances, from 1 to 21, as the Web Content Accessibility Guidelines 2.1 define it.
fn contrast(one: f64, other: f64) -> f64 {
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hotter_is_darker() {
        let luminances: Vec<f64> =
            (0..=100).map(|place| luminance(mixed(f64::from(place) / 100.0))).collect();
        assert!(luminances.windows(2).all(|pair| pair[0] > pair[1]), "{luminances:?}");
    }

    /// The guidelines require a contrast of at least 4.5.
    #[test]
    fn names_can_be_read_on_every_colour() {
        for place in 0..=100 {
            let ground = luminance(mixed(f64::from(place) / 100.0));
            assert!(contrast(ground, 0.0).max(contrast(ground, 1.0)) >= 4.5, "at {place}");
        }
    }

    #[test]
    fn the_scale_ends_at_the_hottest_block_but_not_below_32_iterations() {
        let scale = |frequencies: &[Scaled]| Heat::new(frequencies.iter().copied());
        let flat = scale(&[Scaled::ONE, Scaled::ZERO]);
        assert_eq!([Scaled::ZERO, Scaled::ONE, Scaled::new(1, 5)].map(|runs| flat.of(runs)), [0.0, 0.5, 1.0]);
        let nest = scale(&[Scaled::ONE, Scaled::new(1, 12000)]);
        assert_eq!(
            [Scaled::ONE, Scaled::new(1, 11995), Scaled::new(1, 12000)].map(|runs| nest.of(runs)),
            [0.0, 0.5, 1.0]
        );
        assert_eq!(nest.colours(Scaled::ONE), ("#ffffcc".to_string(), "black"));
        assert_eq!(nest.colours(Scaled::new(1, 12000)), ("#800026".to_string(), "white"));
    }
}
