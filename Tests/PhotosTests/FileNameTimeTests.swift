import Notes
import Testing

@testable import Photos

/// Times and days in the names of files.
struct FileNameTimeTests {
    @Test(
        "names of many programs hold a time",
        arguments: [
            ("Screenshot_20240501-101112.png", "2024-05-01T10:11:12"),
            ("Screenshot_2024-05-01-10-11-12-345_com.app.png", "2024-05-01T10:11:12"),
            ("Screenshot_2024-05-01-10-11-12.png", "2024-05-01T10:11:12"),
            ("Screenshot 2019-05-21 at 10.45.52.png", "2019-05-21T10:45:52"),
            ("WhatsApp Image 2024-05-01 at 10.11.12.jpeg", "2024-05-01T10:11:12"),
            ("2024-05-01 10.11.12-1.jpg", "2024-05-01T10:11:12"), ("IMG20240501101112.jpg", "2024-05-01T10:11:12"),
            ("20240501_101112(0).jpg", "2024-05-01T10:11:12"), ("2024-05-01 9.41.00.jpg", "2024-05-01T09:41:00"),
            ("PXL_20240501_081112345.jpg", "2024-05-01T08:11:12.345"), ("IMG-20240501-WA0007.jpg", nil),
            ("DSC_20241301_101112.jpg", nil), ("IMG_1234.jpg", nil), ("12345678_123456.jpg", nil), ("", nil),
            ("2024-05-01.jpg", nil), ("2024-05-01_1.jpg", nil), ("2024-05-01 Harbour 12.jpg", nil),
            ("2024-05-01 the day on which we went to 10.11.12.jpg", nil), ("20240501_1.11.1.jpg", nil),
        ])
    func names(name: String, expected: String?) {
        #expect(FileNameTime(name)?.local.description == expected)
    }

    @Test(
        "words between date and time may be of any language",
        arguments: [
            "Bildschirmfoto 2024-05-01 um 10.11.12.png", "Capture d’écran 2024-05-01 à 10.11.12.png",
            "Captura de pantalla 2024-05-01 a las 10.11.12.png", "Schermata 2024-05-01 alle 10.11.12.png",
            "Skärmavbild 2024-05-01 kl. 10.11.12.png", "Снимок экрана 2024-05-01 в 10.11.12.png",
            "スクリーンショット 2024-05-01 10.11.12.png", "截屏2024-05-01 上午10.11.12.png",
            "WhatsApp 图像2024-05-01于10.11.12_0a1b2c3d.jpg", "2024-05-01 - 10.11.12.jpg",
        ])
    func languages(name: String) {
        #expect(FileNameTime(name)?.local.description == "2024-05-01T10:11:12")
    }

    @Test(
        "clocks of twelve hours are read with their halves of the day",
        arguments: [
            ("WhatsApp Image 2024-05-01 at 1.11.12 PM.jpeg", "13:11:12"),
            ("Screenshot 2023-01-02 at 3.04.05 PM.png", "15:04:05"),
            ("Screenshot 2023-01-02 at 03.04.05\u{202f}PM.png", "15:04:05"),
            ("Screenshot 2024-05-01 at 9.41.00 AM.png", "09:41:00"),
            ("Screenshot 2024-05-01 at 9.41.00\u{202f}AM (2).png", "09:41:00"),
            ("Screenshot 2024-05-01 at 12.00.01 AM.png", "00:00:01"),
            ("Screenshot 2024-05-01 at 12.00.01 pm.png", "12:00:01"),
            ("WhatsApp Image 2024-05-01 at 10.24.01 p. m..jpeg", "22:24:01"),
            ("WhatsApp Image 2024-05-01 at 10.24.01 p.\u{a0}m. (1).jpeg", "22:24:01"),
            ("Screenshot 2024-05-01 at 10.24.01 a.m..png", "10:24:01"),
            ("截屏2024-05-01 下午1.11.12.png", "13:11:12"), ("스크린샷 2024-05-01 오후 1.11.12.png", "13:11:12"),
            ("2024-05-01 12.11.12 am Strand.jpg", "12:11:12"), ("2024-05-01 1.11.12 pmx.jpg", "01:11:12"),
        ])
    func halves(name: String, time: String) {
        #expect(FileNameTime(name)?.local.description.suffix(8) == time[...])
    }

    @Test("Pixel phones name by UTC, other names say that they do")
    func utc() {
        for name in [
            "PXL_20240501_101112345.jpg", "2024-05-01_10-11-12_UTC.jpg", "2024-05-01_10-11-12_UTC_1.jpg",
            "20240501T101112Z.jpg",
        ] { #expect(FileNameTime(name)?.isUTC == true, "\(name)") }
        for name in ["2024-05-01_10-11-12.jpg", "2024-05-01_10-11-12_UTCX.jpg", "2024-05-01 10.11.12 Zoo.jpg"] {
            #expect(FileNameTime(name)?.isUTC == false, "\(name)")
        }
    }

    @Test(
        "a name may hold a day alone",
        arguments: [
            ("IMG-20240501-WA0001.jpg", 2024), ("VID-20240501-WA0001.mp4", 2024), ("1965-07-01 Wedding.jpg", 1965),
            ("Scan 2024-05-01.jpg", 2024), ("IMG-20240501-WAVE.jpg", nil), ("IMG-20241301-WA0001.jpg", nil),
            ("20240501.jpg", nil), ("2024-05-011.jpg", nil), ("0012024-05-01.jpg", nil), ("", nil),
        ])
    func days(name: String, year: Int?) {
        #expect(FileNameTime.day(name)?.year == year)
    }
}
